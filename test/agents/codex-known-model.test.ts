import { expect, test } from "vitest";
import { z } from "zod";
import { connectAgent, evaluatePrompt } from "../../packages/skillset/src/acp/index.ts";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import {
  MarkdownSection,
  Prompt,
  PromptTemplate,
  SkillSection,
  SkillsSection,
} from "../../packages/skillset/src/prompt/index.ts";
import { type ScriptReply, startScriptedModel } from "../../packages/testing/src/index.ts";
import { PATIENCE } from "../acp/agent-under-test.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KNOWN_MODEL, prepareCodex } from "./fixtures/acp/codex.ts";
import { needsAgents } from "./installed.ts";

needsAgents();

/** Codex offers such a model one tool, which takes JavaScript. */
const exec = (call: string): ScriptReply => ({
  call: "exec",
  input: `text(JSON.stringify(await tools.${call}));`,
});

test("with a model that Codex knows, it activates a skill, calls a tool and returns the result", async () => {
  await using model = await startScriptedModel([
    exec('mcp__skillset__activate_skill({ name: "tea" })'),
    exec("mcp__think__lookup({ id: 7 })"),
    exec("mcp__think__return_result({ minutes: 3 })"),
    { say: "Done." },
  ]);
  const { env, cwd } = prepareCodex(temporaryFolder(), model.url, KNOWN_MODEL);
  await using agent = await connectAgent("codex", { env, cwd });
  const called: unknown[] = [];
  const stream = agent
    .think(z.object({ minutes: z.number() }))
    .skill({ name: "tea", description: "Makes tea.", body: "Steep for three minutes." })
    .tool("lookup", "Looks up a tea", z.object({ id: z.number() }), (input) => void called.push(input))
    .text("How long?")
    .timeout(PATIENCE)
    .stream({ include: ["skill-activated", "permission-decided"] });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(await stream.result).toEqual({ minutes: 3 });
  expect(events).toMatchObject([{ type: "skill-activated", skill: "tea" }]);
  expect(called).toEqual([{ id: 7 }]);
  expect(model.faults).toEqual([]);
  const turns = model.requests.filter(({ side }) => !side);
  expect(turns[0]?.tools.some((name) => name.endsWith("exec"))).toBe(true);
  expect(turns[1]?.toolResults[0]?.text).toContain("Steep for three minutes.");
});

test("with a model that Codex knows, an installed skill that it reads becomes active", async () => {
  await using model = await startScriptedModel([
    ({ body }) => {
      const root = /`(r\d+)` = `([^`]+)`/.exec(JSON.stringify(body))?.[2] ?? "";
      return exec(`exec_command({ cmd: "cat '${root}/vault/SKILL.md'" })`);
    },
    { say: "Done." },
  ]);
  const { env, cwd } = prepareCodex(temporaryFolder(), model.url, KNOWN_MODEL);
  const session = await (await createSkillset([])).session();
  const vault = new SkillSection({ name: "vault", description: "Knows it.", title: "Vault", template: "It is 4711." });
  const task = new MarkdownSection({ title: "Task", key: "task", template: "What is the codeword?" });
  const sections = [task, new SkillsSection({ skills: [vault] })];
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "vault", sections }));
  const keep = { CODEX_HOME: env.CODEX_HOME ?? "" };
  const { text } = await evaluatePrompt({ agent: "codex", prompt, cwd, env, keep, session, timeout: PATIENCE });
  expect(text).toBe("Done.");
  expect(JSON.stringify(model.requests.filter(({ side }) => !side)[1]?.toolResults)).toContain("It is 4711.");
  expect(session.active).toEqual(["vault"]);
});
