import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
  SkillSection,
  SkillsSection,
} from "../prompt/index.ts";
import { type ClaudeEvent, evaluatePrompt, IsolationConfig } from "./index.ts";

interface Asked {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly hooks: { readonly PostToolUse: readonly { readonly hooks: readonly CallableFunction[] }[] };
}

/** Replaces the SDK: the agent uses these tools and answers. */
function claudeThat(...uses: readonly { readonly tool_name: string; readonly tool_input: object }[]) {
  const asked: (Asked & { readonly hasSkill: boolean })[] = [];
  const query = async function* ({ options }: { options: Asked }) {
    const hasSkill = existsSync(join(options.env.HOME ?? "", ".claude/skills/naming/SKILL.md"));
    asked.push({ ...options, hasSkill });
    for (const use of uses) await options.hooks.PostToolUse[0]?.hooks[0]?.({ ...use, cwd: options.cwd });
    yield { type: "result", subtype: "success", result: "Done." };
  };
  return { sdk: { query } as never, asked };
}

function promptWith(section: Section) {
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
  return new Prompt(new PromptTemplate({ ns: "t", key: "k", sections: [task, section] }));
}

const NAMING = new SkillSection({ name: "naming", description: "Names.", title: "Naming", template: "Use nouns." });

test("evaluatePrompt() evaluates one prompt in a home that has its skills, and removes the home", async () => {
  const { sdk, asked } = claudeThat();
  const prompt = promptWith(new SkillsSection({ skills: [NAMING] }));
  const { text, promptKey } = await evaluatePrompt({ prompt, sdk, isolation: new IsolationConfig() });
  expect({ text, promptKey }).toEqual({ text: "Done.", promptKey: "k" });
  expect(asked).toMatchObject([{ hasSkill: true }]);
  expect(existsSync(asked[0]?.env.HOME ?? "")).toBe(false);
});

test("evaluatePrompt() refuses unknown options, and settings of 'clientConfig' in its 'options'", async () => {
  const { sdk, asked } = claudeThat();
  const prompt = promptWith(NAMING);
  const wrong = { prompt, sdk, sesion: undefined };
  await expect(evaluatePrompt(wrong)).rejects.toThrow("evaluatePrompt() has no option 'sesion'");
  const clientConfig = { options: { model: "haiku" } };
  await expect(evaluatePrompt({ prompt, sdk, clientConfig })).rejects.toThrow("Set 'model' in 'clientConfig' directly");
  expect(asked).toEqual([]);
});

test("a skill that is hidden from models becomes active too when the agent finds and reads it", async () => {
  const hidden = skillMd("secret").replace("---\n\n", "disable-model-invocation: true\n---\n\n");
  const skillsDir = temporaryFolder({ "secret/SKILL.md": hidden, "open/SKILL.md": skillMd("open") });
  const { sdk } = claudeThat({ tool_name: "Read", tool_input: { file_path: join(skillsDir, "secret/SKILL.md") } });
  const session = await (await createSkillset([skillsDir])).session();
  const events: ClaudeEvent[] = [];
  const onEvent = (event: ClaudeEvent) => events.push(event);
  const prompt = promptWith(new AgentSkillsSection({ skillsDir }));
  await evaluatePrompt({ prompt, sdk, session, onEvent, onWarning: () => {} });
  expect(session.active).toEqual(["secret"]);
  expect(events).toContainEqual(expect.objectContaining({ type: "SkillActivated", skillName: "secret" }));
});
