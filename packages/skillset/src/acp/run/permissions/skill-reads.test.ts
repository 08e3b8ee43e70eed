import { join } from "node:path";
import {
  agent as agentApp,
  type RequestPermissionResponse,
  type ToolCall,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import type { Session } from "../../../core/session.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  Prompt,
  type PromptEvent,
  PromptTemplate,
} from "../../../prompt/index.ts";
import { connectAgent, type ThinkPromptOptions } from "../../index.ts";

type Call = Omit<ToolCall, "toolCallId" | "title"> & { readonly toolCallId?: string; readonly title?: string };
/** A call that the agent reports, and whether it succeeds; or a permission that it asks for. */
type Act = { readonly call: Call; readonly fails?: true } | { readonly ask: Call };

const RULES = skillMd("tea", "Makes tea.").replace("---\n\n", "allowed-tools: Bash(git:*)\n---\n\n");
const files = { "skills/tea/SKILL.md": RULES, "skills/tea/notes.md": "", "skills/coffee/SKILL.md": skillMd("coffee") };
const OPTIONS = [
  { optionId: "yes", kind: "allow_once" as const, name: "Yes" },
  { optionId: "no", kind: "reject_once" as const, name: "No" },
];

interface Given extends ThinkPromptOptions {
  /** What the agent calls itself. */
  readonly name?: string;
  /** Whether a section lists the skills, instead of their being installed. */
  readonly isListed?: boolean;
}

/** Runs a prompt on an agent that does these things. */
async function run(folder: string, acts: readonly Act[], { name = "any", isListed = false, ...options }: Given = {}) {
  const answers: RequestPermissionResponse[] = [];
  const app = agentApp()
    .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: { name, version: "1" } }))
    .onRequest("session/new", () => ({ sessionId: "one" }))
    .onRequest("session/prompt", async ({ client }) => {
      for (const [index, act] of acts.entries()) {
        const call = { toolCallId: `call-${index}`, title: "A call", ...("ask" in act ? act.ask : act.call) };
        if ("ask" in act) {
          const request = { sessionId: "one", toolCall: call, options: OPTIONS };
          answers.push(await client.request("session/request_permission", request));
          continue;
        }
        const status = act.fails ? "failed" : "completed";
        await client.notify("session/update", { sessionId: "one", update: { sessionUpdate: "tool_call", ...call } });
        const update: ToolCallUpdate = { toolCallId: call.toolCallId, status };
        await client.notify("session/update", {
          sessionId: "one",
          update: { sessionUpdate: "tool_call_update", ...update },
        });
      }
      return { stopReason: "end_turn" };
    });
  const agent = await connectAgent(app, { cwd: folder, bridge: "none", permissions: { allow: ["execute", "read"] } });
  onTestFinished(() => agent.close());
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
  const listed = new AgentSkillsSection({ skillsDir: join(folder, "skills"), mountPath: "skills" });
  const sections = isListed ? [task, listed] : [task];
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections }));
  const events: PromptEvent[] = [];
  const installed = isListed ? {} : { installed: ["tea", "coffee"], skillsDir: join(folder, "skills") };
  const given = { ...installed, onEvent: (event: PromptEvent) => events.push(event), ...options };
  const stream = agent
    .think()
    .prompt(prompt, given)
    .stream({ include: ["skill-activated"] });
  const reported: string[] = [];
  for await (const { skill } of stream) reported.push(skill);
  const activated = events.map((event) => (event.type === "SkillActivated" ? event.skillName : event.type));
  const allowed = answers.map(({ outcome }) => outcome.outcome === "selected" && outcome.optionId === "yes");
  return { activated, reported, allowed };
}

const sessionOf = async (folder: string): Promise<Session> =>
  (await createSkillset([join(folder, "skills")], { allowedTools: "enforce", cwd: folder })).session();

const readOf = (path: string): Act => ({ call: { kind: "read", locations: [{ path }] } });

describe("an installed skill becomes active when the agent", () => {
  const cases: readonly [string, (file: string) => Act, string?][] = [
    ["reads its SKILL.md", readOf],
    ["reads it in a command", (file) => ({ call: { kind: "execute", rawInput: { cmd: `head -5 '${file}'` } } })],
    ["reads it in a command that is only a title", (file) => ({ call: { kind: "execute", title: `head ${file}` } })],
    [
      "calls the tool Skill of claude",
      () => ({ call: { name: "Skill", rawInput: { skill: "tea" } } as Call }),
      "@agentclientprotocol/claude-agent-acp",
    ],
    ["calls the tool skill of opencode", () => ({ call: { title: "skill", rawInput: { name: "tea" } } }), "OpenCode"],
    [
      "calls the tool activate_skill of gemini",
      () => ({ call: { toolCallId: "activate_skill__1", title: '"tea": Makes tea.' } }),
      "gemini-cli",
    ],
  ];

  test.each(cases)("%s", async (_title, act, name = "any") => {
    const folder = temporaryFolder(files);
    const session = await sessionOf(folder);
    const { activated } = await run(folder, [act(join(folder, "skills/tea/SKILL.md"))], { name, session });
    expect(activated).toEqual(["tea"]);
    expect(session.active).toEqual(["tea"]);
  });
});

test("without a session, the run reports the skill, once", async () => {
  const folder = temporaryFolder(files);
  const read = readOf("skills/tea/SKILL.md");
  expect(await run(folder, [read, read])).toMatchObject({ activated: ["tea"], reported: ["tea"] });
});

test("a skill that a section lists becomes active when the agent reads it at its location", async () => {
  const folder = temporaryFolder(files);
  const { activated } = await run(folder, [readOf("skills/coffee/SKILL.md")], { isListed: true });
  expect(activated).toEqual(["coffee"]);
});

test.each<[string, Act]>([
  ["reading another file of it", readOf("skills/tea/notes.md")],
  ["reading the file of a skill that is not installed", readOf("other/tea/SKILL.md")],
  ["a read that fails", { ...readOf("skills/tea/SKILL.md"), fails: true } as Act],
  ["a command elsewhere", { call: { kind: "execute", rawInput: { cmd: "cat other/tea/SKILL.md" } } }],
  ["an edit", { call: { kind: "edit", locations: [{ path: "skills/tea/SKILL.md" }] } }],
  ["a tool of another agent", { call: { title: "skill", rawInput: { name: "tea" } } }],
])("%s does not activate a skill", async (_title, act) => {
  expect(await run(temporaryFolder(files), [act])).toMatchObject({ activated: [], reported: [] });
});

test("the allowed-tools of a skill that the agent has read apply to its next request", async () => {
  const folder = temporaryFolder(files);
  const remove = { ask: { kind: "execute" as const, rawInput: { command: "rm x" } } };
  const log = { ask: { kind: "execute" as const, rawInput: { command: "git log" } } };
  const read = readOf(join(folder, "skills/tea/SKILL.md"));
  const { allowed } = await run(folder, [remove, read, remove, log], { session: await sessionOf(folder) });
  expect(allowed).toEqual([true, false, true]);
});

test("no active skill forbids files of skills, and loading an installed one needs no permission", async () => {
  const folder = temporaryFolder(files);
  const load = { ask: { toolCallId: "activate_skill__1", title: '"coffee": Makes it.' } };
  const unknown = { ask: { toolCallId: "activate_skill__2", title: '"other": Not ours.' } };
  const own = { ask: { kind: "read" as const, locations: [{ path: join(folder, "skills/coffee/data.md") }] } };
  const outside = { ask: { kind: "read" as const, locations: [{ path: "/etc/passwd" }] } };
  const acts = [readOf(join(folder, "skills/tea/SKILL.md")), load, unknown, own, outside];
  const { allowed } = await run(folder, acts, { name: "gemini-cli", session: await sessionOf(folder) });
  expect(allowed).toEqual([true, false, true, false]);
});
