import { expect, test, vi } from "vitest";
import { connect, startProxy, updateOf } from "../../../../../test/acp/proxy-harness.ts";

vi.setConfig({ testTimeout: 20_000 });

type End = ReturnType<typeof startProxy>["editor"];

const OPTIONS = [
  { optionId: "yes", kind: "allow_once", name: "Yes" },
  { optionId: "no", kind: "reject_once", name: "No" },
];

/** A proxy with one open session whose tools the agent has listed. */
async function startSession() {
  const proxy = startProxy();
  await proxy.initialize();
  const { servers } = await proxy.open();
  await connect(servers);
  return proxy;
}

const OURS = { toolCallId: "c1", title: "skillset_activate_skill", rawInput: { name: "charts" } };

test("a permission request for our own tool is answered, and the editor does not see it", async () => {
  const { agent, editor } = await startSession();
  agent.write(permission(1, OURS));
  expect(await agent.next(({ id }) => id === 1)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: { outcome: { outcome: "selected", optionId: "yes" } },
  });
  agent.write({ jsonrpc: "2.0", method: "after" });
  await editor.next(({ method }) => method === "after");
  expect(editor.lines.filter((line) => line.includes("request_permission"))).toEqual([]);
});

test("a call is recognised by what the agent reported about it before", async () => {
  const { agent } = await startSession();
  agent.write(updateOf({ sessionUpdate: "tool_call", ...OURS, status: "pending" }));
  agent.write(permission(2, { toolCallId: "c1" }));
  expect(await agent.next(({ id }) => id === 2)).toMatchObject({ result: { outcome: { optionId: "yes" } } });
});

test("a new call with the id of an older one is not taken for it", async () => {
  const { agent, editor } = await startSession();
  agent.write(updateOf({ sessionUpdate: "tool_call", ...OURS, name: "mcp__skillset__activate_skill" }));
  agent.write(updateOf({ sessionUpdate: "tool_call", toolCallId: "c1", title: "rm -rf /", kind: "execute" }));
  await asksEditor(agent, editor, { toolCallId: "c1" });
});

test("a call that had not ended with its turn is forgotten", async () => {
  const { agent, editor, prompt } = await startSession();
  agent.write(updateOf({ sessionUpdate: "tool_call", ...OURS }));
  await editor.next(({ params }) => JSON.stringify(params).includes("tool_call"));
  await prompt("Hello");
  await asksEditor(agent, editor, { toolCallId: "c1" });
});

test.each([
  ["another tool", { toolCallId: "c1", title: "rm -rf /", kind: "execute" }],
  ["a command with the title of our tool", { ...OURS, kind: "execute" }],
  ["our tool with other arguments", { ...OURS, rawInput: { command: "rm -rf /" } }],
  ["a tool of a skill", { ...OURS, title: "skillset_call_skill_tool", rawInput: { skill: "charts", tool: "x" } }],
])("a permission request for %s reaches the editor, and its answer the agent", async (_what, toolCall) => {
  const { agent, editor } = await startSession();
  agent.write(permission(3, toolCall));
  expect(await editor.next(({ id }) => id === 3)).toMatchObject({ params: { toolCall, options: OPTIONS } });
  const answer = { jsonrpc: "2.0", id: 3, result: { outcome: { outcome: "cancelled" } } };
  editor.write(answer);
  expect(await agent.next(({ id }) => id === 3)).toEqual(answer);
});

test("a permission request for the editor's own server of our name reaches the editor", async () => {
  const { initialize, open, agent, editor } = startProxy();
  await initialize();
  await open("s1", { mcpServers: [{ type: "http", name: "skillset", url: "http://127.0.0.1:9/", headers: [] }] });
  await asksEditor(agent, editor, { ...OURS, title: "mcp__skillset__activate_skill" });
});

test("a permission request for our tool reaches the editor if the agent never listed our tools", async () => {
  const { initialize, open, agent, editor } = startProxy();
  await initialize();
  await open();
  await asksEditor(agent, editor, { ...OURS, title: "mcp__skillset__activate_skill" });
});

async function asksEditor(agent: End, editor: End, toolCall: object): Promise<void> {
  agent.write(permission(5, toolCall));
  const asked = editor.next(({ id }) => id === 5).then(() => "the editor");
  const answered = agent.next(({ id }) => id === 5).then(() => "the proxy");
  expect(await Promise.race([asked, answered])).toBe("the editor");
}

test("the person decides about our tool if the agent offers no way to allow it", async () => {
  const { agent, editor } = await startSession();
  agent.write({ ...permission(4, OURS), params: { sessionId: "s1", toolCall: OURS, options: [OPTIONS[1]] } });
  expect(await editor.next(({ id }) => id === 4)).toBeDefined();
});

function permission(id: number, toolCall: object): object {
  const params = { sessionId: "s1", toolCall, options: OPTIONS };
  return { jsonrpc: "2.0", id, method: "session/request_permission", params };
}
