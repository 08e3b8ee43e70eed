import { agent as agentApp, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { type ScriptedAgentOptions, type ScriptStep, startScriptedAgent } from "../../testing/index.ts";
import { type ConnectAgentOptions, connectAgent, type ThinkEvent } from "../index.ts";

// A run waits five seconds for an agent that continues after its result or after it was cancelled; here, it waits less.
vi.mock("../link/deadline.ts", async (load) => {
  const { within } = await load<typeof import("../link/deadline.ts")>();
  return { within: <Value>(ms: number, work: Promise<Value>) => within(ms === 5_000 ? 300 : ms, work) };
});

const VERDICT = z.object({ verdict: z.enum(["good", "bad"]) });
const GOOD = { call: "return_result", input: { verdict: "good" } };
const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };

async function start(script: readonly ScriptStep[], options: ScriptedAgentOptions & ConnectAgentOptions = {}) {
  const { mcp, announces, asksPermission, connects, ...rest } = options;
  const given = { mcp, announces, asksPermission, connects };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const scripted = await startScriptedAgent(script, defined);
  const agent = await connectAgent(scripted.app, rest);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, scripted };
}

async function eventsOf(stream: AsyncIterable<ThinkEvent>) {
  const events: ThinkEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a result", () => {
  test("that is invalid is sent back with the reason, and the next one is accepted", async () => {
    const { agent, scripted } = await start([
      { call: "return_result", input: { verdict: "so-so" } },
      GOOD,
      { say: "Done." },
    ]);
    const stream = agent
      .think(VERDICT)
      .text("Judge.")
      .stream({ include: ["result-refused"] });
    expect(await eventsOf(stream)).toEqual([
      { type: "result-refused", issues: [expect.stringContaining("verdict")], attemptsLeft: 4 },
    ]);
    expect(await stream.result).toEqual({ verdict: "good" });
    expect(scripted.requests[1]?.toolResults[0]?.text).toMatch(/^The result does not fit: verdict/);
  });

  test("that stays invalid fails the run with the reason", async () => {
    const { agent } = await start([
      ...Array(9).fill({ call: "return_result", input: { verdict: 1 } }),
      { say: "Done." },
    ]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({ code: "result-invalid", message: expect.stringContaining("verdict") });
  });

  test("that is missing is requested once more", async () => {
    const { agent, scripted } = await start([{ say: "I think it is good." }, GOOD, { say: "Done." }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    expect(scripted.requests[1]?.messages.at(-1)?.text).toMatch(/^There is no result yet\. .*`return_result`/);
  });

  test("that was rejected is requested once more with the reason, and then fails the run with it", async () => {
    const refused = { call: "return_result", input: { verdict: "maybe" } };
    const { agent, scripted } = await start([refused, { say: "That is it." }, { say: "I said so." }]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({
      code: "result-invalid",
      message: expect.stringMatching(/^The agent returned one result, which does not fit the schema: .*verdict/),
    });
    expect(scripted.requests.at(-1)?.messages.at(-1)?.text).toMatch(
      /^There is no result yet\. The last one does not fit: .*verdict.*\. When you are done/,
    );
  });

  test("that never arrives fails the run with the agent's answer", async () => {
    const { agent } = await start([{ say: "Hm." }, { say: "I cannot." }]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(/`return_result`.*I cannot\./),
    });
  });

  test("remains valid although the agent keeps running afterwards", { timeout: 30_000 }, async () => {
    const { agent } = await start([GOOD, { hang: true }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    // The turn was cancelled, and the agent still runs.
    expect(await agent.think(VERDICT).text("Judge again.").timeout(20_000).run()).toEqual({ verdict: "good" });
  });

  test("with additional properties is accepted, although the agent asks for permission first", async () => {
    const { agent } = await start([{ call: "return_result", input: { n: 1, m: 2 } }, { say: "Done." }]);
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect(await agent.think(schema).text("Count.").run()).toEqual({ n: 1, m: 2 });
  });

  test("without a schema is the agent's text after its last tool call", async () => {
    const { agent } = await start([
      { say: "Let me see.", call: "activate_skill", input: { name: "tea" } },
      { say: " Three minutes. " },
    ]);
    expect(await agent.think().skill(TEA).text("How long?").run()).toBe("Three minutes.");
  });
});

describe("the answer", () => {
  const text = (words: string): SessionUpdate => ({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: words },
  });
  const done = (id: string): SessionUpdate => ({
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: "todo",
    status: "completed",
  });

  test.each([
    ["is the text before the last tool call if no text follows", [text("It is 4."), done("1")], "It is 4."],
    [
      "is not the text before a tool call if more text follows",
      [text("Let me see."), done("1"), text("It is "), text("4.")],
      "It is 4.",
    ],
  ])("%s", async (_what, updates, answer) => {
    const agent = await connectAgent(updatingAgent(updates));
    onTestFinished(() => agent.close());
    expect(await agent.think().text("2 + 2?").run()).toBe(answer);
  });
});

describe("a caller's tool", () => {
  test("is not called because the agent asked to run a command with the same name and was denied", async () => {
    const build = vi.fn(() => "built");
    const agent = await connectAgent(
      agentApp({ name: "shell" })
        .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
        .onRequest(methods.agent.session.new, () => ({ sessionId: "1" }))
        .onRequest(methods.agent.session.prompt, async ({ client }) => {
          const call = { toolCallId: "1", title: "build", kind: "execute" as const, rawInput: { command: "build" } };
          await client.notify(methods.client.session.update, {
            sessionId: "1",
            update: { sessionUpdate: "tool_call", ...call },
          });
          const options = [{ optionId: "no", name: "No", kind: "reject_once" as const }];
          await client.request(methods.client.session.requestPermission, { sessionId: "1", toolCall: call, options });
          return { stopReason: "end_turn" as const };
        }),
      { bridgeTimeout: 50 },
    );
    onTestFinished(() => agent.close());
    await agent.think().tool("build", "Builds", build).text("Build.").run();
    expect(build).not.toHaveBeenCalled();
  });

  test("without a schema gets the agent's input, wrapped or not", async () => {
    const seen: unknown[] = [];
    const { agent } = await start([
      { call: "note", input: { input: [1] } },
      { call: "note", input: { a: 1 } },
      { call: "note", input: {} },
      { say: "Done." },
    ]);
    await agent
      .think()
      .tool("note", "Notes", (input) => void seen.push(input))
      .text("Note.")
      .run();
    expect(seen).toEqual([[1], { a: 1 }, undefined]);
  });

  test("may have a recursive non-object schema", async () => {
    type Tree = { name: string; children: Tree[] };
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));
    const { agent, scripted } = await start([
      { call: "grow", input: { input: [{ name: "a", children: [] }] } },
      { say: "Done." },
    ]);
    await agent
      .think()
      .tool("grow", "Grows", z.array(tree), ([first]) => first?.name)
      .text("Grow.")
      .run();
    expect(scripted.requests.at(-1)?.toolResults[0]?.text).toBe("a");
    const offered = JSON.stringify(scripted.requests[0]?.body.tools);
    for (const [, path] of offered.matchAll(/"\$ref":"(#[^"]*)"/g)) expect(path).toMatch(/^#\/\$defs\/input/);
  });
});

test("a run that ends slowly after its result does not affect other runs", { timeout: 40_000 }, async () => {
  const { agent } = await start([GOOD, { hang: true }]);
  const other = agent
    .think()
    .text("x")
    .tool("slow", "S", () => "")
    .timeout(3_000)
    .run()
    .catch((error) => error);
  expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
  expect(await agent.think(VERDICT).text("Judge again.").run()).toEqual({ verdict: "good" });
  expect(await other).not.toMatchObject({ message: expect.stringContaining("kept running") });
});

test("invalid arguments throw a readable error", async () => {
  const { agent } = await start([]);
  expect(() => agent.think("Hello" as never)).toThrow("think() takes a schema");
  await expect(connectAgent({ comand: "x" } as never)).rejects.toThrow("The agent must be a known name");
  await expect(connectAgent({ command: "" })).rejects.toThrow("The agent must be a known name");
  await expect(connectAgent("clod" as never)).rejects.toThrow("Unknown agent 'clod'");
});

describe("cancelling", () => {
  test("with a signal ends the turn and the handler, and rejects with the signal's reason", async () => {
    const { agent } = await start([{ call: "wait", input: {} }, { say: "Done." }]);
    const controller = new AbortController();
    const reason = new Error("enough");
    let seen: AbortSignal | undefined;
    const wait = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      seen = signal;
      setTimeout(() => controller.abort(reason), 0);
      return new Promise(() => {});
    };
    const run = agent.think().tool("wait", "Waits", wait).text("Wait.").signal(controller.signal).run();
    await expect(run).rejects.toBe(reason);
    expect(seen?.aborted).toBe(true);
  });

  test("before the start sends nothing to the agent", async () => {
    const { agent, scripted } = await start([{ say: "Done." }]);
    await expect(
      agent
        .think()
        .text("Hi.")
        .signal(AbortSignal.abort(new Error("no")))
        .run(),
    ).rejects.toThrow("no");
    expect(scripted.requests).toEqual([]);
  });

  test("with the signal of the connection ends both, and rejects with its reason", async () => {
    const controller = new AbortController();
    const { agent } = await start([{ hang: true }], { signal: controller.signal });
    const run = agent.think().text("Hi.").signal(controller.signal).run();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
    await expect(agent.think().text("Hi.").run()).rejects.toBe(reason);
  });

  test("by closing the agent cancels active runs first", async () => {
    const { agent } = await start([{ hang: true }]);
    const run = agent.think().text("Hi.").run();
    setTimeout(() => void agent.close(), 100);
    await expect(run).rejects.toMatchObject({ code: "agent-failed", message: "The agent was closed." });
  });

  test("by a timeout reports its length", async () => {
    const { agent } = await start([{ hang: true }]);
    const run = agent.think().text("Hi.").timeout(200).run();
    await expect(run).rejects.toMatchObject({ code: "run-timed-out", message: expect.stringContaining("200 ms") });
  });

  test("does not happen when a loop ends early: the result still arrives", async () => {
    const { agent } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
    const stream = agent.think().skill(TEA).text("Tea.").stream();
    for await (const event of stream) if (event.type === "skill-activated") break;
    expect(await stream.result).toBe("Done.");
    // Events that were not consumed are still available.
    expect((await eventsOf(stream)).map(({ type }) => type)).toContain("message");
  });
});

describe("events", () => {
  test("cover the agent's thoughts, messages, tools and plans", async () => {
    const updates: SessionUpdate[] = [
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      { sessionUpdate: "plan", entries: [{ content: "Look", status: "pending", priority: "high" }] },
      {
        sessionUpdate: "tool_call",
        toolCallId: "1",
        title: "ls",
        kind: "execute",
        status: "pending",
        rawInput: { a: 1 },
      },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "x" } }],
      },
      { sessionUpdate: "tool_call_update", toolCallId: "2", status: "failed", title: "never announced" },
      { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "", mimeType: "image/png" } },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } },
    ];
    const agent = await connectAgent(updatingAgent(updates));
    onTestFinished(() => agent.close());
    const stream = agent.think().text("Go.").stream();
    const ls = { id: "1", title: "ls", kind: "execute", locations: [] };
    const succeeded = { outcome: "succeeded" };
    expect(await eventsOf(stream)).toEqual([
      { type: "thought", text: "Hm." },
      { type: "plan", entries: [{ content: "Look", status: "pending", priority: "high" }] },
      { type: "tool-started", ...ls, contents: [], input: { a: 1 } },
      { type: "tool-updated", ...ls, contents: [], input: { a: 1 } },
      { type: "tool-done", ...ls, contents: [{ type: "text", text: "x", truncated: false }], ...succeeded, text: "x" },
      {
        type: "tool-done",
        id: "2",
        title: "never announced",
        kind: "other",
        locations: [],
        contents: [],
        outcome: "failed",
        text: "",
      },
      { type: "message", text: "Done." },
    ]);
    expect(await stream.result).toBe("Done.");
  });

  test("can be filtered by type", async () => {
    const { agent } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
    const stream = agent
      .think()
      .skill(TEA)
      .text("Tea.")
      .stream({ include: ["skill-activated", "message"] });
    for await (const event of stream) event.type satisfies "skill-activated" | "message";
    expect(await stream.result).toBe("Done.");
    const again = agent
      .think()
      .skill(TEA)
      .text("Tea.")
      .stream({ include: ["message"] });
    expect((await eventsOf(again)).map(({ type }) => type)).toEqual(["message"]);
  });

  test("end with the error of the run", async () => {
    const { agent } = await start([{ fail: { status: 500, message: "out of order" } }]);
    const stream = agent.think().text("Hi.").stream();
    await expect(eventsOf(stream)).rejects.toMatchObject({ code: "agent-failed" });
  });
});

describe("the bridge to the agent", () => {
  const script = [{ call: "activate_skill", input: { name: "tea" } }, GOOD, { say: "Done." }];

  test.each(["http", "stdio"] as const)("is %s if the agent supports it", async (mcp) => {
    const { agent } = await start(script, { mcp });
    const stream = agent.think(VERDICT).skill(TEA).text("Judge the tea.").stream();
    const events = await eventsOf(stream);
    expect(events[0]).toEqual({ type: "bridge-chosen", bridge: mcp, failed: [], unreachable: [] });
    expect(events).toContainEqual(expect.objectContaining({ type: "skill-activated", skill: "tea" }));
    expect(await stream.result).toEqual({ verdict: "good" });
  });

  test("falls back to file reads if the agent never lists the tools, and the result is taken from its answer", async () => {
    const { agent, scripted } = await start([{ say: 'It is:\n```json\n{ "verdict": "bad" }\n```' }], {
      mcp: "none",
      bridgeTimeout: 100,
    });
    const stream = agent
      .think(VERDICT)
      .skill(TEA)
      .skill("skills/code-review")
      .cwd("packages/skillset")
      .text("Judge.")
      .stream();
    const [chosen] = await eventsOf(stream);
    expect(chosen).toMatchObject({
      bridge: "file-read",
      failed: expect.arrayContaining(["stdio"]),
      unreachable: [],
    });
    expect(await stream.result).toEqual({ verdict: "bad" });
    expect(scripted.requests[0]?.messages[0]?.text).toMatch(/<location>\/.*code-review\/SKILL\.md<\/location>/);
  });

  test("that is missing puts the instructions of skills in code into the prompt, once, as far as there is room", async () => {
    const { agent, scripted } = await start([{ say: "Yes." }, { say: "No." }], { mcp: "none", bridgeTimeout: 50 });
    const huge = { ...TEA, name: "huge", body: "All. ".repeat(50_000) };
    const chat = agent.session();
    const stream = chat
      .think()
      .skill(TEA)
      .skill(huge)
      .skill("packages/skillset/skills/code-review")
      .text("Go.")
      .stream();
    expect(await eventsOf(stream)).toContainEqual(
      expect.objectContaining({ type: "bridge-chosen", bridge: "file-read", unreachable: ["huge"] }),
    );
    await chat.think().skill(TEA).text("And now?").run();
    const [first = "", second = ""] =
      scripted.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])) ?? [];
    expect(first).toContain("Steep for three minutes.");
    expect(first).not.toMatch(/All\. All\.|Review the diff/);
    expect(second).not.toContain("Steep for three minutes.");
  });

  test("that is missing is named in the error of a run without a result", async () => {
    const { agent } = await start([{ say: "Hm." }, { say: "I cannot." }], { mcp: "none", bridgeTimeout: 50 });
    await expect(agent.think(VERDICT).skill(TEA).text("Judge.").run()).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(
        /did not use our tools over (http or )?stdio, so its answer had to be JSON\. .*I cannot/,
      ),
    });
  });

  test("that gemini ignores is reported with what to do: trust the folder", async () => {
    const app = agentApp()
      .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: { name: "gemini-cli", version: "1" } }))
      .onRequest("session/new", () => ({ sessionId: "one" }))
      .onRequest("session/prompt", () => ({ stopReason: "end_turn" as const }));
    const agent = await connectAgent(app, { bridgeTimeout: 50 });
    onTestFinished(() => agent.close());
    await expect(agent.think(VERDICT).skill(TEA).text("Judge.").run()).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(
        /did not use our tools.* trust the folder in gemini, or set GEMINI_CLI_TRUST_WORK/,
      ),
    });
  });

  test("can be the prompt itself, with 'inject'", async () => {
    const { agent, scripted } = await start([{ say: '{ "verdict": "good" }' }], {
      mcp: "none",
      bridgeTimeout: 50,
      inject: true,
    });
    const stream = agent
      .think(VERDICT)
      .skill(TEA)
      .text("Judge.")
      .stream({ include: ["bridge-chosen"] });
    expect(await eventsOf(stream)).toMatchObject([{ bridge: "inject", unreachable: [] }]);
    expect(await stream.result).toEqual({ verdict: "good" });
    expect(scripted.requests[0]?.messages[0]?.text).toContain("Steep for three minutes.");
  });

  test("runs announced tool calls in this process, including skills and their tools", async () => {
    const handler = vi.fn(() => "hot");
    const kettle = { ...TEA, tools: [{ name: "boil", description: "Boils", handler }] };
    const { agent, scripted } = await start(
      [
        { call: "activate_skill", input: { name: "tea" } },
        { call: "call_skill_tool", input: { skill: "tea", tool: "boil", input: {} } },
        { call: "lookup", input: { id: 7 } },
        { call: "return_result", input: { verdict: "sour" } },
        GOOD,
      ],
      { announces: ["activate_skill", "call_skill_tool", "lookup", "return_result"], bridgeTimeout: 50 },
    );
    const lookup = vi.fn(() => "ticket");
    const stream = agent
      .think(VERDICT)
      .skill(kettle)
      .tool("lookup", "Looks up", z.object({ id: z.number() }), lookup)
      .text("Judge.")
      .stream();
    const events = await eventsOf(stream);
    expect(await stream.result).toEqual({ verdict: "good" });
    expect(handler).toHaveBeenCalledOnce();
    expect(lookup).toHaveBeenCalledWith({ id: 7 }, expect.anything());
    expect(events.filter(({ type }) => type === "bridge-chosen").at(-1)).toMatchObject({ bridge: "announced" });
    const told = scripted.requests
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join("\n");
    expect(told).toMatch(/Steep for three minutes[\s\S]*hot[\s\S]*ticket[\s\S]*does not fit/);
  });
});

/** An agent that sends these updates and ends its turn. */
function updatingAgent(updates: readonly SessionUpdate[]) {
  return agentApp({ name: "updating" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      for (const update of updates) await client.notify(methods.client.session.update, { sessionId: "1", update });
      return { stopReason: "end_turn" as const };
    });
}
