import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { STDIO, says, serveEcho, start } from "../../../../test/acp/start-agent.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

test.each(["http", "stdio"] as const)("it calls a tool of an MCP server over %s and answers", async (transport) => {
  const { scripted, open, updates, asked } = await start([
    { call: "echo", input: { text: "tea" } },
    { say: "It said tea." },
  ]);
  const server = transport === "http" ? await serveEcho() : STDIO;
  const session = await open(server);
  expect(await session.prompt("Go")).toEqual({ stopReason: "end_turn" });
  const toolCallId = expect.stringMatching(/^call_/);
  const title = `mcp__${server.name}__echo`;
  expect(updates).toEqual([
    { sessionUpdate: "tool_call", toolCallId, title, status: "pending", rawInput: { text: "tea" } },
    {
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "echo: tea" } }],
    },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "It said tea." } },
  ]);
  expect(asked).toMatchObject([{ sessionId: session.sessionId, toolCall: { title, rawInput: { text: "tea" } } }]);
  expect(asked[0]?.options.map(({ kind }) => kind)).toEqual(["allow_once", "allow_always", "reject_once"]);
  expect(scripted.requests[0]).toMatchObject({
    system: "Echoes what it is told.",
    messages: [{ role: "user", text: "Go" }],
    tools: expect.arrayContaining([title]),
  });
  expect(scripted.requests[1]?.toolResults).toMatchObject([{ name: title, text: "echo: tea" }]);
  expect(scripted.faults).toEqual([]);
});

test("a failing tool is a failed call, and the model receives its text", async () => {
  const { open, updates, scripted } = await start([{ call: "fail" }, { say: "Done." }]);
  await (await open(await serveEcho())).prompt("Go");
  expect(updates[1]).toMatchObject({ sessionUpdate: "tool_call_update", status: "failed" });
  expect(scripted.requests[1]?.toolResults).toMatchObject([{ text: "No luck." }]);
});

test.each([
  ["length", "max_tokens"],
  ["refused", "refusal"],
] as const)("an answer that ends with %s ends the turn with %s", async (finish, stopReason) => {
  const { open } = await start([{ say: "Half.", finish }]);
  expect(await (await open(await serveEcho())).prompt("Go")).toEqual({ stopReason });
});

describe("permission", () => {
  test("that is refused skips the call, and the model receives the refusal", async () => {
    const { open, updates, scripted } = await start([{ call: "echo" }, { say: "A pity." }], {}, () => "reject-once");
    expect(await (await open(await serveEcho())).prompt("Go")).toEqual({ stopReason: "end_turn" });
    expect(updates[1]).toMatchObject({ sessionUpdate: "tool_call_update", status: "failed" });
    expect(scripted.requests[1]?.toolResults).toMatchObject([{ text: "The user refused this call." }]);
    expect(says(updates)).toEqual(["A pity."]);
  });

  test("that is given for always is requested once per tool", async () => {
    const script = [{ calls: [{ call: "echo" }, { call: "echo" }, { call: "fail" }] }, { say: "Done." }];
    const { open, asked } = await start(script, {}, () => "allow-always");
    await (await open(await serveEcho())).prompt("Go");
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(["mcp__web__echo", "mcp__web__fail"]);
  });

  test("that is cancelled cancels the turn", async () => {
    const { open } = await start([{ call: "echo" }], {}, () => "cancelled");
    expect(await (await open(await serveEcho())).prompt("Go")).toEqual({ stopReason: "cancelled" });
  });

  test("is not requested with asksPermission false", async () => {
    const { open, asked, scripted } = await start([{ call: "echo" }, { say: "Done." }], { asksPermission: false });
    await (await open(await serveEcho())).prompt("Go");
    expect(asked).toEqual([]);
    expect(scripted.requests[1]?.toolResults).toMatchObject([{ text: "echo: " }]);
  });
});

describe("session/cancel", () => {
  test("ends a turn that waits for the model, and the next prompt continues", async () => {
    const { open, updates, scripted } = await start([{ hang: true }, { say: "Back." }]);
    const session = await open();
    const turn = session.prompt("Go");
    await vi.waitFor(() => expect(scripted.requests).toHaveLength(1));
    await session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(await session.prompt("Again")).toEqual({ stopReason: "end_turn" });
    expect(says(updates)).toEqual(["Back."]);
  });

  test("ends a turn that waits for a tool, and cancels the tool", async () => {
    const text = join(temporaryFolder({ state: "" }), "state");
    const { open, scripted } = await start([{ call: "hang", input: { text } }, { say: "Back." }]);
    const session = await open(STDIO);
    const turn = session.prompt("Go");
    await vi.waitFor(() => expect(readFileSync(text, "utf8")).toBe("called"), { timeout: 10_000 });
    await session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    await vi.waitFor(() => expect(readFileSync(text, "utf8")).toBe("cancelled"), { timeout: 10_000 });
    await session.prompt("Again");
    expect(scripted.requests[1]?.toolResults).toMatchObject([{ text: "The agent did not make this call." }]);
  });

  test("ends a turn that waits for permission", async () => {
    const { open, asked } = await start([{ call: "echo" }], {}, () => new Promise(() => {}));
    const session = await open(await serveEcho());
    const turn = session.prompt("Go");
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
  });
});

test("two parallel sessions each play the script, with separate servers and histories", async () => {
  const script = [
    { call: "one" },
    ({ messages }: { messages: readonly { text: string }[] }) => ({ say: `Heard ${messages[0]?.text}.` }),
  ];
  const { open, updates, scripted } = await start(script);
  const servers = await Promise.all([serveEcho({ also: ["one"] }), serveEcho({ also: ["one", "two"] })]);
  const sessions = await Promise.all(servers.map((server) => open(server)));
  await Promise.all(sessions.map(({ prompt }, index) => prompt(`prompt ${index}`)));
  expect(says(updates).sort()).toEqual(["Heard prompt 0.", "Heard prompt 1."]);
  expect(scripted.requests).toHaveLength(4);
  const offered = scripted.requests.map(({ messages, tools }) => [messages[0]?.text, tools.includes("mcp__web__two")]);
  expect(new Map(offered as [string, boolean][])).toEqual(
    new Map([
      ["prompt 0", false],
      ["prompt 1", true],
    ]),
  );
  expect(scripted.faults).toEqual([]);
});

test("a session accepts one prompt at a time, and an unknown session accepts none", async () => {
  const { open, agent, scripted } = await start([{ hang: true }]);
  const session = await open();
  const turn = session.prompt("Go");
  await vi.waitFor(() => expect(scripted.requests).toHaveLength(1));
  await expect(session.prompt("And")).rejects.toMatchObject({ code: -32600 });
  await session.cancel();
  await turn;
  await expect(agent.request("session/prompt", { sessionId: "other", prompt: [] })).rejects.toMatchObject({
    code: -32002,
  });
});

test.each([
  [{ fail: { status: 500, message: "Down." } }, "The model failed: Down."],
  [{ garbage: "<html>" }, "The model's answer cannot be read"],
])("a model that answers %j fails the prompt, and the session stays usable", async (step, message) => {
  const { open, updates } = await start([step, { say: "Up." }]);
  const session = await open();
  await expect(session.prompt("Go")).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining(message),
  });
  await session.prompt("Again");
  expect(says(updates)).toEqual(["Up."]);
});

describe("an agent that announces", () => {
  test("ends its turn with calls that it does not run, and the next prompt continues", async () => {
    const script = [
      { say: "First,", call: "activate_skill", input: { name: "tea" } },
      {
        calls: [
          { call: "return_result", input: { tea: 1 } },
          { call: "return_result", input: { tea: 2 } },
        ],
      },
      { say: "Done." },
    ];
    const { open, updates, asked, scripted } = await start(script, { announces: ["activate_skill", "return_result"] });
    const session = await open(await serveEcho(), { ...STDIO, command: "/no/such/program" });
    expect(await session.prompt("Go")).toEqual({ stopReason: "end_turn" });
    expect(updates.splice(0)).toEqual([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "First," } },
      expect.objectContaining({
        sessionUpdate: "tool_call",
        title: "activate_skill",
        status: "pending",
        rawInput: { name: "tea" },
      }),
    ]);
    expect(await session.prompt("The skill says: steep.")).toEqual({ stopReason: "end_turn" });
    expect(updates.splice(0)).toMatchObject([{ rawInput: { tea: 1 } }, { rawInput: { tea: 2 } }]);
    await session.prompt("Thanks.");
    expect(says(updates)).toEqual(["Done."]);
    expect(scripted.requests[1]?.messages.at(-1)).toEqual({ role: "user", text: "The skill says: steep." });
    expect(asked).toEqual([]);
    expect(scripted.faults).toEqual([]);
  });
});
