import { mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { evaluatePrompt } from "../../packages/skillset/src/acp/index.ts";
import {
  MarkdownSection,
  Prompt,
  type PromptEvent,
  PromptTemplate,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "../../packages/skillset/src/prompt/index.ts";
import { type ReceivedRequest, startScriptedModel } from "../../packages/skillset/src/testing/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { NATIVE_AGENTS } from "./fixtures/native-agents.ts";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const CODEWORD = "quetzalcoatlus-4711";
const DESCRIPTION = "Knows the codeword of the vault. Use when asked for the codeword.";
const IN_HOMES = NATIVE_AGENTS.filter(({ name }) => name === "codex" || name === "opencode");

test.for(IN_HOMES)("$name evaluates a prompt with installed skills, and its home is removed", async (agent) => {
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
    (request) => ({
      call: "return_result",
      input: { codeword: /quetzalcoatlus-\d+/.exec(textOf(request))?.[0] ?? "" },
    }),
    { say: "Done." },
  ]);
  const { env, cwd } = agent.prepare(temporaryFolder(), model.url);
  const keep = agent.keep(env);
  for (const folder of Object.values(keep)) mkdirSync(folder, { recursive: true });
  const before = homes();
  const events: PromptEvent[] = [];
  const { output } = await evaluatePrompt({
    agent: agent.name as "codex",
    prompt: new Prompt(template),
    cwd,
    env,
    keep,
    permissions: { allow: ["read", "execute"] },
    onEvent: (event) => events.push(event),
  });
  expect(output).toEqual({ codeword: CODEWORD });
  expect(model.faults).toEqual([]);
  const [first] = model.requests.filter(({ side }) => !side);
  expect(textOf(first)).toContain(DESCRIPTION);
  expect(textOf(first)).not.toContain(CODEWORD);
  expect(events).toMatchObject([
    { type: "SkillsInstalled", inlineSkills: ["vault"], referencedSkills: ["field-guide"] },
  ]);
  expect(homes()).toEqual(before);
});

function homes(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("skillset-home-"));
}

function textOf(request: ReceivedRequest | undefined): string {
  return JSON.stringify(request?.body ?? "");
}
