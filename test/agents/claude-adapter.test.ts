import { existsSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@anthropic-ai/claude-agent-sdk";
import {
  ClaudeAgentSDKAdapter,
  ClaudeAgentWorkspaceSection,
  type ClaudeEvent,
  IsolationConfig,
  type IsolationConfigOptions,
  NetworkPolicy,
} from "skillset/claude";
import {
  AgentSkillsSection,
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "skillset/prompt";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "skillset/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const SKILLS = inAgents("fixtures/skills");
const CODEWORD = "marram-seven";
const naming = new SkillSection({
  name: "naming",
  description: "Knows how things are named.",
  title: "Naming",
  template: `The codeword is ${CODEWORD}.`,
});
const linting = new SkillSection({
  name: "linting",
  description: "Lints code.",
  title: "Linting",
  template: "Call `lint_code` with the paths.",
  tools: [
    defineTool({
      name: "lint_code",
      description: "Lints files",
      inputSchema: z.object({ paths: z.array(z.string()) }),
      handler: ({ paths }) => ({ issues: 0, render: () => `${paths.join(", ")}: clean` }),
    }),
  ],
});
const task = new MarkdownSection({ title: "Task", key: "task", template: "Look at the code." });
const skills = new SkillsSection({
  skills: [naming, linting],
  skillRefs: [new SkillRef({ path: join(SKILLS, "field-guide") })],
});

test("Claude Code lists what was installed, and has a skill's text only after it activated it (003-15, 003-41)", async () => {
  const { events, response, turns, home } = await evaluate(
    [{ call: "Skill", input: { skill: "naming" } }, { say: `It is ${CODEWORD}.` }],
    [task, skills],
  );
  expect(response.text).toContain(CODEWORD);
  const [first = "", second = ""] = turns.map(({ body }) => JSON.stringify(body));
  for (const { name } of [naming, { name: "field-guide" }]) expect(first).toContain(`- ${name}: `);
  expect([first, second].map((body) => body.includes(CODEWORD))).toEqual([false, true]);
  expect(events.map(({ type }) => type)).toEqual(["SkillsInstalled", "SkillActivated"]);
  expect(events[0]).toMatchObject({ inlineSkills: ["naming"], referencedSkills: ["field-guide"] });
  expect(existsSync(home)).toBe(false);
});

test("Claude Code opens a skill that is summarised, and has its tools in the same conversation (003-20, 003-21, 003-27)", async () => {
  const { events, turns } = await evaluate(
    [
      { call: "open_sections", input: { section_keys: ["skills.linting"], reason: "to lint" } },
      { call: "lint_code", input: { paths: ["a.ts", "b.ts"] } },
      { say: "All clean." },
    ],
    [task, skills],
  );
  const offered = turns.map(({ tools }) => tools.filter((name) => name.startsWith("mcp__prompt__")));
  expect(offered[0]).toEqual(["mcp__prompt__open_sections"]);
  expect(offered[1]).toContain("mcp__prompt__lint_code");
  const results = turns.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  expect(results[0]).toContain("Call `lint_code` with the paths.");
  expect(results.at(-1)).toContain("a.ts, b.ts: clean");
  expect(events).toContainEqual(expect.objectContaining({ type: "SkillExpanded", skillKey: "skills.linting" }));
});

test("Claude Code reads the skills of a folder in its workspace by itself, and gives a typed output (001-16, 001-17, 001-23)", async () => {
  const workspace = new ClaudeAgentWorkspaceSection({
    mounts: [{ hostPath: SKILLS, mountPath: "skills", readOnly: true }],
    allowedHostRoots: [SKILLS],
  });
  onTestFinished(() => workspace.cleanup());
  const { events, response, turns } = await evaluate(
    [
      { call: "Read", input: { file_path: join(workspace.tempDir, "skills/field-guide/SKILL.md") } },
      { call: "StructuredOutput", input: { bird: "heron" } },
      { say: "Done." },
    ],
    [task, workspace, new AgentSkillsSection({ skillsDir: SKILLS, mountPath: "skills" })],
    z.object({ bird: z.string() }),
  );
  expect(response.output).toEqual({ bird: "heron" });
  expect(turns[1]?.toolResults[0]?.text).toContain("Ask for size, beak and place");
  expect(events).toMatchObject([{ type: "SkillActivated", skillName: "field-guide" }]);
});

test("Claude Code fetches nothing from a host that the network policy does not name, whatever it is allowed", async () => {
  const fetching = { call: "WebFetch", input: { url: "https://example.com/", prompt: "What is there?" } };
  const networkPolicy = new NetworkPolicy({ allowedDomains: ["docs.example.org"] });
  const { turns } = await evaluate([fetching, { say: "I could not." }], [task], undefined, {
    networkPolicy,
    sandbox: false,
  });
  expect(turns.at(-1)?.toolResults[0]?.text).toContain("The network policy does not allow this host.");
});

async function evaluate(
  script: ScriptStep[],
  sections: ConstructorParameters<typeof PromptTemplate>[0]["sections"],
  output?: z.ZodType,
  confined: IsolationConfigOptions = {},
) {
  await using model = await startScriptedModel(script);
  const events: ClaudeEvent[] = [];
  let home = "";
  const isolation = new IsolationConfig({
    ...confined,
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "any",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Root may not leave out the questions elsewhere.
      IS_SANDBOX: "1",
    },
  });
  const clientConfig = { model: "claude-sonnet-4-5", allowedTools: ["Read", "WebFetch"] };
  const adapter = new ClaudeAgentSDKAdapter({ sdk, clientConfig, isolation });
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "claude", sections, ...(output && { output }) }));
  const response = await adapter.evaluate(prompt, {
    signal: AbortSignal.timeout(60_000),
    onEvent: (event) => {
      if (event.type === "SkillsInstalled") home = event.skillsDir;
      if (event.type !== "AgentMessage") events.push(event);
    },
  });
  expect(model.faults).toEqual([]);
  return { events, response, turns: turnsOf(model), home };
}

/** The requests of the conversation, without those for a title. */
function turnsOf({ requests }: ScriptedModel) {
  return requests.filter(({ side }) => !side);
}
