import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { startProxy } from "../../../../../test/acp/proxy-harness.ts";

vi.setConfig({ testTimeout: 20_000 });

const LINES = [
  '{"jsonrpc":"2.0","id":1,"method":"_vendor/unknown","params":{"x":[1,2.0,1e400]},"extra":true}',
  '{ "method" : "session/set_mode", "id" : "a\\u0062", "jsonrpc":"2.0", "params": {"sessionId":"none"} }',
  '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"_meta":{"big":12345678901234567890}}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No","data":{"deep":[[]]}}}',
  '{"jsonrpc":"2.0","method":"$/progress"}',
  '{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/a"},"id":8}',
  '[{"jsonrpc":"2.0","id":1,"method":"batch"}]',
  "null",
  '"text"',
];

test.each(["editor", "agent"] as const)("what the %s sends arrives byte for byte", async (from) => {
  const proxy = startProxy();
  const to = from === "editor" ? proxy.agent : proxy.editor;
  for (const line of LINES) proxy[from].write(`${line}\n`);
  await vi.waitFor(() => expect(to.lines).toEqual(LINES));
});

test.each([
  ["editor", "The editor sent a line that is not JSON. Such lines are not passed on."],
  ["agent", "The agent printed a line that is not JSON. Such lines are not passed on."],
] as const)("a line of the %s that is not JSON is reported once, and the rest is passed on", async (from, report) => {
  const proxy = startProxy();
  const to = from === "editor" ? proxy.agent : proxy.editor;
  for (const line of ["Loading {", "", "  ", "}{", '{"jsonrpc":"2.0","method":"after"}'])
    proxy[from].write(`${line}\n`);
  expect(await to.next(({ method }) => method === "after")).toBeDefined();
  expect(to.lines).toHaveLength(1);
  expect(proxy.reports).toEqual([report]);
  const error = { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } };
  if (from === "editor") expect(await proxy.editor.next()).toEqual(error);
});

const HOSTILE: readonly object[] = [
  { method: "session/new", params: null },
  { method: "session/new", params: { cwd: 7, mcpServers: "none" } },
  { method: "session/new", params: { cwd: "\0", mcpServers: [null, 5, { name: {} }] } },
  { method: "session/load", params: [] },
  { method: "session/prompt", params: { sessionId: "none", prompt: "text" } },
  { method: "session/prompt", params: { sessionId: { a: 1 }, prompt: [null] } },
  { method: "session/cancel", params: { sessionId: 5 } },
  { method: "session/close", params: { sessionId: "none" } },
  { method: 5, params: {} },
  { method: "initialize", params: "x" },
  { result: { sessionId: "s9" } },
];

test("malformed requests of the editor reach the agent, and answers to no request the editor", async () => {
  const proxy = startProxy();
  await proxy.initialize();
  const ids = HOSTILE.map((_message, index) => 500 + index);
  for (const [index, message] of HOSTILE.entries()) proxy.editor.write({ jsonrpc: "2.0", id: ids[index], ...message });
  for (const id of ids) await proxy.agent.next((message) => message.id === id);
  for (const result of [null, 5, {}, { sessionId: 7 }, { sessions: [null, { title: 5 }] }]) {
    for (const id of [...ids, "none", null, 1.5]) proxy.agent.write({ jsonrpc: "2.0", id, result });
  }
  proxy.agent.write({ jsonrpc: "2.0", method: "after" });
  await proxy.editor.next(({ method }) => method === "after");
  expect(proxy.editor.lines.filter((line) => line.includes('"result"'))).toHaveLength(1 + 5 * (ids.length + 3));
});

const BROKEN_UPDATES: readonly unknown[] = [
  undefined,
  null,
  { sessionId: 5, update: 6 },
  { sessionId: "s1", update: { sessionUpdate: "no-such-update" } },
  { sessionId: "s1", update: { sessionUpdate: "tool_call", toolCallId: 7, title: null, rawInput: [[[]]] } },
  { sessionId: "s1", update: { sessionUpdate: "available_commands_update", availableCommands: "none" } },
  { sessionId: "s1", update: { sessionUpdate: "user_message_chunk", content: "text" } },
  { sessionId: "s1", update: { sessionUpdate: "session_info_update", title: 5 } },
];

test("malformed updates and permission requests of the agent reach the editor", async () => {
  const proxy = startProxy();
  await proxy.initialize();
  await proxy.open();
  for (const [index, params] of BROKEN_UPDATES.entries()) {
    proxy.agent.write({ jsonrpc: "2.0", method: "session/update", params, index });
    await proxy.editor.next((message) => message.index === index);
  }
  for (const params of [
    null,
    { sessionId: "s1" },
    { sessionId: "s1", toolCall: { title: "skillset_activate_skill" } },
  ]) {
    proxy.agent.write({ jsonrpc: "2.0", id: "p", method: "session/request_permission", params });
    expect(await proxy.editor.next(({ id }) => id === "p")).toMatchObject({ params });
  }
});

test.each(["editor", "agent"] as const)(
  "a message of the %s that is too long is passed on before it ends",
  async (from) => {
    const proxy = startProxy();
    const to = from === "editor" ? proxy.agent : proxy.editor;
    const start = '{"jsonrpc":"2.0","method":"long","params":"';
    const [chunk, count] = ["x".repeat(1_000_000), 20];
    proxy[from].write(start);
    for (let index = 0; index < count; index += 1) proxy[from].write(chunk);
    await vi.waitFor(() => expect(to.unfinished).toHaveLength(start.length + count * chunk.length), {
      timeout: 20_000,
    });
    proxy[from].write('"}\n{"jsonrpc":"2.0","method":"after"}\n');
    expect(await to.next(({ method }) => method === "long")).toMatchObject({ params: chunk.repeat(count) });
    await to.next(({ method }) => method === "after");
    expect(proxy.reports).toEqual([expect.stringContaining(`The ${from} sent a message of more than 16 MB.`)]);
  },
);

test("our own messages do not end up inside a long one", async () => {
  const proxy = startProxy();
  await proxy.initialize();
  await proxy.open();
  proxy.agent.write(`{"jsonrpc":"2.0","method":"long","params":"${"x".repeat(17_000_000)}`);
  await vi.waitFor(() => expect(proxy.editor.unfinished.length).toBeGreaterThan(16_000_000), { timeout: 20_000 });
  const session = proxy.proxy.sessions.find("s1");
  if (session !== undefined) proxy.proxy.sessions.sendCommands(session);
  proxy.agent.write('"}\n');
  await proxy.editor.next(({ method }) => method === "long");
  await proxy.editor.next(({ method }) => method === "session/update");
});

test.each(["editor", "agent"] as const)("the %s is read no faster than the other side takes", async (from) => {
  const proxy = startProxy();
  const to = from === "editor" ? proxy.agent : proxy.editor;
  to.isBlocked = true;
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "chunk", params: "x".repeat(100_000) })}\n`;
  const count = 100;
  for (let index = 0; index < count; index += 1) {
    proxy[from].input.write(line);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // What is not read stays in the stream.
  expect(proxy[from].input.readableLength + proxy[from].input.writableLength).toBeGreaterThan(8_000_000);
  to.isBlocked = false;
  await vi.waitFor(() => expect(to.lines.length).toBe(count), { timeout: 20_000 });
});

test("10,000 updates of tool calls that never end leave the memory as it was", async () => {
  const proxy = startProxy();
  await proxy.initialize();
  await proxy.open();
  const flood = async (from: number): Promise<void> => {
    for (let index = from; index < from + 5_000; index += 1) {
      const update = { sessionUpdate: "tool_call", toolCallId: `c${index}`, rawInput: { text: "x".repeat(5_000) } };
      proxy.agent.write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
      if (index % 100 === 99) await vi.waitFor(() => expect(proxy.editor.lines.at(-1)).toContain(`"c${index}"`));
      if (index % 100 === 99) proxy.editor.forget();
    }
  };
  await flood(0);
  const before = heapNow();
  await flood(5_000);
  expect(heapNow() - before).toBeLessThan(2_000_000);
});

test("long inputs of open tool calls are not kept", async () => {
  const proxy = startProxy();
  await proxy.initialize();
  await proxy.open();
  const before = heapNow();
  for (let index = 0; index < 100; index += 1) {
    const update = { sessionUpdate: "tool_call", toolCallId: `c${index}`, rawInput: { text: "x".repeat(300_000) } };
    proxy.agent.write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await vi.waitFor(() => expect(proxy.editor.lines.at(-1)).toContain(`"c${index}"`));
    proxy.editor.forget();
  }
  expect(heapNow() - before).toBeLessThan(10_000_000);
});

/** The memory in use after a collection. */
function heapNow(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
