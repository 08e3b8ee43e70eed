import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { startScriptedModel } from "@skillset/testing";
import { createSkillset, type LedgerEntry } from "skillset";
import { ClaudeAgentSDKAdapter, IsolationConfig } from "skillset/claude";
import { MarkdownSection, Prompt, PromptTemplate, SkillRef, SkillsSection } from "skillset/prompt";
import { expect, test } from "vitest";
import { PATIENCE } from "../acp/agent-under-test.ts";
import fixture from "../fixtures/allowed-tools.json" with { type: "json" };
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { ACP_AGENTS } from "./fixtures/acp/all.ts";
import { underTest } from "./fixtures/acp/under-test.ts";
import { needsAgents } from "./installed.ts";

needsAgents();

/** Tokens and commands of the fixture that do no harm in any folder. */
const CASES: readonly [token: keyof typeof fixture.covers, call: keyof typeof fixture.calls, allowed: boolean][] = [
  ["Bash(git:*)", "b13", true],
  ["Bash(git:*)", "c17", false],
  ["Bash(git:*)", "u6", false],
  ["Bash(git *)", "b8", true],
  ["Bash(git status:*)", "b13", false],
  ["Bash(npm:*)", "n14", true],
  ["Bash(npm run build)", "n5", false],
  ["Bash(scripts/echo.sh:*)", "o9", true],
  ["Bash(scripts/echo.sh:*)", "o13", false],
  ["Bash(scripts/*)", "o13", true],
  ["Read", "o26", false],
  ["Bash", "u13", true],
];

const rows = CASES.map(([token, id, allowed]) => ({ token, command: fixture.calls[id][1] ?? "", allowed }));

/** The agent may do everything, except what the skill does not allow. */
function ruledSkill(token: string): string {
  const md = skillMd("rules").replace("---\n\n", `allowed-tools: ${token}\n---\n\n`);
  return temporaryFolder({ "rules/SKILL.md": md, "cwd/.keep": "" });
}

const denials = (ledger: readonly LedgerEntry[]) => ledger.filter(({ type }) => type === "tool-denied").length;

test.each(rows)(
  "Claude Code, with $token active: '$command' is allowed: $allowed",
  async ({ token, command, allowed }) => {
    const root = ruledSkill(token);
    await using model = await startScriptedModel([
      { call: "Skill", input: { skill: "rules" } },
      { call: "Bash", input: { command, description: "Does it" } },
      { say: "Done." },
    ]);
    const env = { ...ENVIRONMENT, ANTHROPIC_BASE_URL: model.url };
    const clientConfig = { model: "claude-sonnet-4-5", cwd: `${root}/cwd`, allowedTools: ["Bash"] };
    const isolation = new IsolationConfig({ sandbox: false, env });
    const skills = new SkillsSection({ skillRefs: [new SkillRef({ path: `${root}/rules` })] });
    const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
    const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "rules", sections: [task, skills] }));
    const session = await (await createSkillset([`${root}/rules`], { allowedTools: "enforce" })).session();
    await new ClaudeAgentSDKAdapter({ sdk, clientConfig, isolation }).evaluate(prompt, { session });
    expect(model.faults).toEqual([]);
    expect(denials(session.ledger.entries)).toBe(allowed ? 0 : 1);
    const last = model.requests.findLast(({ side }) => !side);
    const isToldWhy = last?.toolResults.at(-1)?.text.includes("not allowed while skill 'rules' is in use");
    expect(isToldWhy).toBe(!allowed);
  },
);

/** No command reaches a real repository. */
const NO_GIT = { GIT_DIR: "/nonexistent" };

const ENVIRONMENT = {
  ...NO_GIT,
  ANTHROPIC_API_KEY: "any",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  // As root, Claude Code skips permission prompts only in a sandbox.
  IS_SANDBOX: "1",
};

/** gemini asks only for commands that are not known to be harmless. */
const gemini = ACP_AGENTS.filter(({ name }) => name === "gemini");

test.each(gemini.flatMap((agent) => rows.map((row) => ({ ...row, agent }))))(
  "gemini, with $token active: '$command' is allowed: $allowed",
  async ({ agent, token, command, allowed }) => {
    const script = [
      { call: "skillset_activate_skill", input: { name: "rules" } },
      { call: "run_shell_command", input: { command, description: "Does it" } },
      { say: "Done." },
    ];
    await using started = await underTest(agent, NO_GIT).start(script, {
      allowedTools: "enforce",
      permissions: { allow: ["*"] },
    });
    const think = started.agent
      .think()
      .text("Do it.")
      .skill(`${ruledSkill(token)}/rules`)
      .timeout(PATIENCE);
    const decided: unknown[] = [];
    const stream = think.stream();
    for await (const event of stream) if (event.type === "permission-decided") decided.push(event);
    await stream.result;
    expect(started.model.faults).toEqual([]);
    expect(decided).toMatchObject([{ kind: "execute", allowed }]);
  },
);
