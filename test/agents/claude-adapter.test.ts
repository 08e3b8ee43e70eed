import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "@skillset/testing";
import {
  ClaudeAgentSDKAdapter,
  type ClaudeAgentSDKClientConfig,
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
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
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

test("Claude Code lists installed skills, and gets a skill's text only after activation", async () => {
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

test("Claude Code opens a summarised skill, and gets its tools in the same conversation", async () => {
  const { events, turns } = await evaluate(
    [
      { call: "open_sections", input: { section_keys: ["skills.linting"], reason: "to lint" } },
      { call: "lint_code", input: { paths: ["a.ts", "b.ts"] } },
      { say: "All clean." },
    ],
    [task, skills],
  );
  const offered = turns.map(({ tools }) => tools.filter((name) => name.startsWith("mcp__prompt__")));
  expect(offered[0]).toEqual(["mcp__prompt__open_sections", "mcp__prompt__read_section"]);
  expect(offered[1]).toContain("mcp__prompt__lint_code");
  const results = turns.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  expect(results[0]).toContain("Call `lint_code` with the paths.");
  expect(results.at(-1)).toContain("a.ts, b.ts: clean");
  expect(events).toContainEqual(expect.objectContaining({ type: "SkillExpanded", skillKey: "skills.linting" }));
});

test("Claude Code reads the skills of a folder in its workspace, and returns a typed output", async () => {
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

test("the program in docs/claude.md runs as written: Claude Code reads a skill at the prompt's location", async () => {
  const cwd = temporaryFolder({
    "repo/app.py": "eval(input())\n",
    "skills/security-audit/SKILL.md": skillMd("security-audit", undefined, `The codeword is ${CODEWORD}.`),
    "skills/cooking/SKILL.md": skillMd("cooking"),
    "home/.keep": "",
  });
  await using model = await startScriptedModel([
    { call: "Read", input: { file_path: "skills/security-audit/SKILL.md" } },
    { call: "Bash", input: { command: "ls skills repo", description: "Looks around" } },
    { call: "StructuredOutput", input: { summary: CODEWORD, findings: ["eval of input"] } },
    { say: "Done." },
  ]);
  const { PATH = "" } = process.env;
  const HOME = join(cwd, "home");
  const args = ["--import", inAgents("fixtures/find-agents.mjs"), inAgents("fixtures/claude-review.ts")];
  const program = promisify(execFile)(process.execPath, args, {
    cwd,
    env: { PATH, HOME, TMPDIR: HOME, ...environment(model) },
    timeout: 60_000,
  });
  expect(await program).toEqual({ stdout: "[ 'eval of input' ]\n", stderr: "" });
  expect(model.faults).toEqual([]);
  const turns = turnsOf(model);
  expect(JSON.stringify(turns[0]?.body)).toContain("<location>skills/security-audit</location>");
  const [read, listed] = turns.slice(1).map(({ toolResults }) => toolResults.at(-1)?.text ?? "");
  expect(read).toContain(CODEWORD);
  expect(listed).toBe("repo:\napp.py\n\nskills:\nsecurity-audit");
  expect(readdirSync(HOME).filter((name) => name.startsWith("skillset-"))).toEqual([]);
});

test("Claude Code reads the skills of several folders and runs their scripts, at any location in the workspace", async () => {
  const root = temporaryFolder({
    "repo/a.md": "a",
    "org/security-audit/SKILL.md": skillMd("security-audit", undefined, CODEWORD),
    "project/python-style/SKILL.md": skillMd("python-style", undefined, "Four spaces."),
    "project/python-style/scripts/check.sh": "echo checked $1",
  });
  const mounts = [{ hostPath: join(root, "repo"), mountPath: "repo" }];
  using workspace = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root] });
  const { events, turns } = await evaluate(
    [
      { call: "Read", input: { file_path: join(workspace.tempDir, "skills/org/security-audit/SKILL.md") } },
      { call: "Read", input: { file_path: join(workspace.tempDir, "skills/project/python-style/SKILL.md") } },
      {
        call: "Bash",
        input: { command: "sh skills/project/python-style/scripts/check.sh repo", description: "Checks" },
      },
      { say: "Done." },
    ],
    [
      task,
      workspace,
      new AgentSkillsSection({ skillsDir: join(root, "org"), mountPath: "skills/org" }),
      new AgentSkillsSection({ skillsDir: join(root, "project"), mountPath: "skills/project" }),
    ],
    undefined,
    {},
    { cwd: workspace.tempDir, allowedTools: ["Read", "Bash"] },
  );
  const read =
    turns
      .at(-1)
      ?.toolResults.map(({ text }) => text)
      .join("\n") ?? "";
  expect([CODEWORD, "Four spaces.", "checked repo"].filter((words) => !read.includes(words))).toEqual([]);
  expect(events).toMatchObject([{ skillName: "security-audit" }, { skillName: "python-style" }]);
});

test("Claude Code fetches nothing from a host outside the network policy, whatever else is allowed", async () => {
  const fetching = { call: "WebFetch", input: { url: "https://example.com/", prompt: "What does it say?" } };
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
  client: ClaudeAgentSDKClientConfig = {},
) {
  await using model = await startScriptedModel(script);
  const events: ClaudeEvent[] = [];
  let home = "";
  const isolation = new IsolationConfig({
    ...confined,
    env: environment(model),
  });
  const clientConfig = { model: "claude-sonnet-4-5", allowedTools: ["Read", "WebFetch"], ...client };
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

/** The environment that directs Claude Code to one model and nothing else. */
function environment({ url }: ScriptedModel) {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "any",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // As root, Claude Code skips permission prompts only in a sandbox.
    IS_SANDBOX: "1",
  };
}

/** The requests of the conversation, without those for a title. */
function turnsOf({ requests }: ScriptedModel) {
  return requests.filter(({ side }) => !side);
}
