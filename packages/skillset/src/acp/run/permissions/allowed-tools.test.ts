import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { expect, onTestFinished, test } from "vitest";
import { instruct, instructedAgent } from "../../../../../../test/acp/instructed-agent.ts";
import { startScriptedAgent } from "../../../../../testing/src/index.ts";
import { defineSkill } from "../../../core/skill/define-skill.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { connectAgent, type ThinkEvent } from "../../index.ts";

const CWD = "/work/app";
const OPTIONS = [
  { optionId: "yes", kind: "allow_once", name: "Yes" },
  { optionId: "no", kind: "reject_once", name: "No" },
];

/** Asks for permission while a skill with these tokens is active, in a run that allows everything. */
async function ask(
  tokens: string,
  call: Omit<ToolCallUpdate, "toolCallId">,
  allowedTools: "log" | "enforce" = "enforce",
) {
  const rules = defineSkill({ name: "rules", description: "Has rules.", body: "# Rules", allowedTools: [tokens] });
  const session = await (await createSkillset([rules], { allowedTools, cwd: CWD })).session();
  await session.activate("rules");
  const agent = await connectAgent(instructedAgent(), { permissions: { allow: ["*"] }, bridge: "none", cwd: CWD });
  onTestFinished(() => agent.close());
  const permission = { toolCall: { toolCallId: "1", ...call }, options: OPTIONS };
  const stream = agent.session({ skills: session }).think().text(instruct({ permission })).stream();
  const events: ThinkEvent[] = [];
  for await (const event of stream) events.push(event);
  const [decided] = events.filter((event) => event.type === "permission-decided");
  return { decided, ledger: session.ledger.entries };
}

test.each<[string, string, Omit<ToolCallUpdate, "toolCallId">, boolean]>([
  ["a command that is listed", "Bash(git:*)", { kind: "execute", title: "x", rawInput: { command: "git log" } }, true],
  ["another command", "Bash(git:*)", { kind: "execute", title: "git log", rawInput: { command: "rm x" } }, false],
  ["a compound command", "Bash(git:*)", { kind: "execute", title: "x", rawInput: { command: "git log; rm x" } }, false],
  ["a command that is only a title", "Bash(git:*)", { kind: "execute", title: "git log" }, true],
  [
    "a title with an unknown input",
    "Bash(git:*)",
    { kind: "execute", title: "git log", rawInput: { line: "rm" } },
    false,
  ],
  ["a read below the folder", "Read(src/**)", { kind: "read", title: "x", rawInput: { path: `${CWD}/src/a` } }, true],
  ["a read of a location", "Read(src/**)", { kind: "read", title: "x", locations: [{ path: `${CWD}/src/a` }] }, true],
  ["a read elsewhere", "Read(src/**)", { kind: "read", title: "x", rawInput: { path: "/etc/passwd" } }, false],
  ["two different paths", "Read(src/**)", { kind: "read", rawInput: { path: "src/a", file: "/etc/passwd" } }, false],
  ["a command of another kind", "Read", { kind: "read", title: "x", rawInput: { command: "rm x" } }, false],
  ["an edit", "Write(docs/**)", { kind: "edit", title: "x", locations: [{ path: `${CWD}/docs/a.md` }] }, true],
  ["a deletion", "Read", { kind: "delete", title: "x", locations: [{ path: `${CWD}/docs/a.md` }] }, false],
  ["a fetch", "WebFetch(domain:example.com)", { kind: "fetch", rawInput: { url: "https://example.com/a" } }, true],
  [
    "a fetch elsewhere",
    "WebFetch(domain:example.com)",
    { kind: "fetch", rawInput: { url: "https://evil.net" } },
    false,
  ],
  ["a tool of a server", "mcp__github", { kind: "other", title: "mcp__github__get_issue" }, true],
  ["a tool of another server", "mcp__github", { kind: "other", title: "mcp__gitlab__get_issue" }, false],
  ["a call without a kind", "Bash(git:*)", { title: "Bash(git:*)" }, false],
])("with enforce, %s and the token %s", async (_title, token, call, allowed) => {
  const { decided, ledger } = await ask(token, call);
  expect(decided).toMatchObject({ allowed });
  expect(ledger.filter(({ type }) => type === "tool-denied")).toHaveLength(allowed ? 0 : 1);
  if (!allowed) expect(decided).toMatchObject({ reason: expect.stringContaining("skill 'rules'") });
});

test("with log, the request is allowed and recorded", async () => {
  const { decided, ledger } = await ask("Read", { kind: "execute", title: "git log" }, "log");
  expect(decided).toMatchObject({ allowed: true });
  expect(ledger.at(-1)).toMatchObject({ type: "tool-outside", skill: "rules", token: "Bash(git:*)" });
});

test("the tools of a run are checked too, and the policy of the agent's options applies to skills of the run", async () => {
  const script = [
    { call: "activate_skill", input: { name: "rules" } },
    { call: "shell", input: { command: "git log" } },
    { call: "shell", input: { command: "rm x" } },
    { say: "Done." },
  ];
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app, { allowedTools: "enforce", toolNames: { Bash: "shell" } });
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  const ran: unknown[] = [];
  const rules = defineSkill({ name: "rules", description: "Rules.", body: "# Rules", allowedTools: ["Bash(git:*)"] });
  await agent
    .think()
    .text("Do it.")
    .skill(rules)
    .tool("shell", "Runs a command", (input) => ran.push(input))
    .run();
  expect(ran).toEqual([{ command: "git log" }]);
  expect(scripted.requests.at(-1)?.toolResults.at(-1)?.text).toContain("lack 'Bash(rm:*)'");
});

test("a grant does not get around the permissions of a run", async () => {
  const files = { "scripts/run.sh": "true\n" };
  const rules = defineSkill({ name: "rules", description: "Rules.", body: "# Rules", allowedTools: ["Bash"], files });
  const script = [
    { call: "activate_skill", input: { name: "rules" } },
    { call: "run_skill_script", input: { skill: "rules", script: "scripts/run.sh" } },
    { say: "Done." },
  ];
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app, { allowedTools: "enforce", scripts: { runner: "subprocess" } });
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  await agent.think().text("Do it.").skill(rules).run();
  expect(scripted.requests.at(-1)?.toolResults.at(-1)?.text).toContain("the run's permissions deny it");
});
