import { mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { evaluatePrompt } from "../../packages/skillset/src/acp/index.ts";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import {
  MarkdownSection,
  Prompt,
  type PromptEvent,
  PromptTemplate,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "../../packages/skillset/src/prompt/index.ts";
import { type ReceivedRequest, startScriptedModel } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { NATIVE_AGENTS } from "./fixtures/native-agents.ts";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const CODEWORD = "quetzalcoatlus-4711";
const DESCRIPTION = "Knows the codeword of the vault. Use when asked for the codeword.";

test.for(NATIVE_AGENTS)(
  "$name loads an installed skill, which becomes active, and its home is removed",
  async (agent) => {
    const vault = new SkillSection({
      name: "vault",
      description: DESCRIPTION,
      title: "Vault",
      template: `The codeword is ${CODEWORD}.`,
    });
    const guide = new SkillRef({ path: inAgents("fixtures/skills/field-guide") });
    const template = new PromptTemplate({
      ns: "vault",
      key: "open",
      output: z.object({ codeword: z.string() }),
      sections: [
        new MarkdownSection({ title: "Task", key: "task", template: "What is the codeword?" }),
        new SkillsSection({ skills: [vault], skillRefs: [guide] }),
      ],
    });
    await using model = await startScriptedModel([
      (request) => agent.activate("vault", request),
      (request) => {
        const result = { codeword: /quetzalcoatlus-\d+/.exec(textOf(request))?.[0] ?? "" };
        // It takes no MCP servers, so its result is taken from its answer.
        if (agent.name === "pi") return { say: `\`\`\`json\n${JSON.stringify(result)}\n\`\`\`` };
        return { call: "return_result", input: result };
      },
      { say: "Done." },
    ]);
    const { env, cwd } = agent.prepare(temporaryFolder(), model.url);
    const keep = agent.keep(env);
    for (const folder of Object.values(keep)) mkdirSync(folder, { recursive: true });
    const before = homes();
    const events: PromptEvent[] = [];
    const session = await (await createSkillset([])).session();
    const { output } = await evaluatePrompt({
      agent: agent.name,
      prompt: new Prompt(template),
      cwd,
      env,
      keep,
      permissions: { allow: ["read", "execute"] },
      session,
      onEvent: (event) => events.push(event),
    });
    expect(output).toEqual({ codeword: CODEWORD });
    expect(model.faults).toEqual([]);
    const [first] = model.requests.filter(({ side }) => !side);
    expect(textOf(first)).toContain(DESCRIPTION);
    expect(textOf(first)).not.toContain(CODEWORD);
    expect(events).toMatchObject([
      { type: "SkillsInstalled", inlineSkills: ["vault"], referencedSkills: ["field-guide"] },
      { type: "SkillActivated", skillName: "vault", skillPath: expect.stringMatching(/skills.vault$/) },
    ]);
    expect(session.active).toEqual(["vault"]);
    expect(homes()).toEqual(before);
  },
);

function homes(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("skillset-home-"));
}

function textOf(request: ReceivedRequest | undefined): string {
  return JSON.stringify(request?.body ?? "");
}
