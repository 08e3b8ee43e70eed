import { agent as agentApp, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { type ScriptedAgentOptions, type ScriptStep, startScriptedAgent } from "../../testing/index.ts";
import { type ConnectAgentOptions, connectAgent, type ThinkEvent } from "../index.ts";

// A run waits five seconds for an agent that continues after its result or after it was cancelled; here, it waits less.
vi.mock("../link/within.ts", async (load) => {
  const { within } = await load<typeof import("../link/within.ts")>();
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
  test("that does not fit is sent back with the reason, and the next one is taken", async () => {
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

  test("that never fits fails the run with what is wrong with it", async () => {
    const { agent } = await start([
      ...Array(9).fill({ call: "return_result", input: { verdict: 1 } }),
      { say: "Done." },
    ]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({ code: "result-invalid", message: expect.stringContaining("verdict") });
  });

  test("that is not given is asked for once more", async () => {
    const { agent, scripted } = await start([{ say: "I think it is good." }, GOOD, { say: "Done." }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    expect(scripted.requests[1]?.messages.at(-1)?.text).toMatch(/^There is no result yet\. .*`return_result`/);
  });

  test("that was refused is asked for once more with the reason, and then is an error that has it", async () => {
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

  test("that is never given is an error that says so, with what the agent said", async () => {
    const { agent } = await start([{ say: "Hm." }, { say: "I cannot." }]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(/`return_result`.*I cannot\./),
    });
  });

  test("stands although the agent goes on for ever afterwards", { timeout: 30_000 }, async () => {
    const { agent } = await start([GOOD, { hang: true }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    // The turn was cancelled, and the agent is still there.
    expect(await agent.think(VERDICT).text("Judge again.").timeout(20_000).run()).toEqual({ verdict: "good" });
  });

  test("with more than the schema names is taken, though the agent asks for permission first", async () => {
    const { agent } = await start([{ call: "return_result", input: { n: 1, m: 2 } }, { say: "Done." }]);
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect(await agent.think(schema).text("Count.").run()).toEqual({ n: 1, m: 2 });
  });

  test("without a schema is what the agent says after its last tool call", async () => {
    const { agent } = await start([
      { say: "Let me see.", call: "activate_skill", input: { name: "tea" } },
      { say: " Three minutes. " },
    ]);
    expect(await agent.think().skill(TEA).text("How long?").run()).toBe("Three minutes.");
  });
});

describe("what is said", () => {
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
    ["before a last tool call stands when nothing follows", [text("It is 4."), done("1")], "It is 4."],
    [
      "before a tool call is not the answer when something follows",
      [text("Let me see."), done("1"), text("It is "), text("4.")],
      "It is 4.",
    ],
  ])("%s", async (_what, updates, answer) => {
    const agent = await connectAgent(updatingAgent(updates));
    onTestFinished(() => agent.close());
    expect(await agent.think().text("2 + 2?").run()).toBe(answer);
  });
});

describe("a tool of the caller's", () => {
  test("is not called because the agent wanted to run a command of the same name, and was refused", async () => {
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

  test("without a schema is given what the agent sends, wrapped or not", async () => {
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

  test("may have a schema that refers to itself, and is no object's", async () => {
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

test("a run that is slow to end after its result does not take others with it", { timeout: 40_000 }, async () => {
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
  expect(await other).not.toMatchObject({ message: expect.stringContaining("went on") });
});

test("what could never work is refused with a sentence", async () => {
  const { agent } = await start([]);
  expect(() => agent.think("Hello" as never)).toThrow("think() takes a schema");
  await expect(connectAgent({ comand: "x" } as never)).rejects.toThrow("An agent is a known name");
  await expect(connectAgent({ command: "" })).rejects.toThrow("An agent is a known name");
  await expect(connectAgent("clod" as never)).rejects.toThrow("Unknown agent 'clod'");
});

describe("cancelling", () => {
  test("by a signal ends the turn and the handler, and the run rejects with the signal's reason", async () => {
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

  test("before the start asks the agent for nothing", async () => {
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

  test("with the signal that the agent was connected with ends both, and the run rejects with its reason", async () => {
    const controller = new AbortController();
    const { agent } = await start([{ hang: true }], { signal: controller.signal });
    const run = agent.think().text("Hi.").signal(controller.signal).run();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
    await expect(agent.think().text("Hi.").run()).rejects.toBe(reason);
  });

  test("by closing the agent cancels what is under way first", async () => {
    const { agent } = await start([{ hang: true }]);
    const run = agent.think().text("Hi.").run();
    setTimeout(() => void agent.close(), 100);
    await expect(run).rejects.toMatchObject({ code: "agent-failed", message: "The agent was closed." });
  });

  test("by a timeout says how long it was", async () => {
    const { agent } = await start([{ hang: true }]);
    const run = agent.think().text("Hi.").timeout(200).run();
    await expect(run).rejects.toMatchObject({ code: "run-timed-out", message: expect.stringContaining("200 ms") });
  });

  test("is not what leaving the loop does: the result comes all the same", async () => {
    const { agent } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
    const stream = agent.think().skill(TEA).text("Tea.").stream();
    for await (const event of stream) if (event.type === "skill-activated") break;
    expect(await stream.result).toBe("Done.");
    // What was not taken is still there.
    expect((await eventsOf(stream)).map(({ type }) => type)).toContain("message");
  });
});

describe("events", () => {
  test("tell of thoughts, messages, tools and plans as the agent does", async () => {
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
    expect(await eventsOf(stream)).toEqual([
      { type: "thought", text: "Hm." },
      { type: "plan", entries: [{ content: "Look", status: "pending", priority: "high" }] },
      { type: "tool-started", id: "1", title: "ls", input: { a: 1 } },
      { type: "tool-updated", id: "1", title: "ls", input: { a: 1 } },
      { type: "tool-done", id: "1", title: "ls", outcome: "succeeded", text: "x" },
      { type: "tool-done", id: "2", title: "never announced", outcome: "failed", text: "" },
      { type: "message", text: "Done." },
    ]);
    expect(await stream.result).toBe("Done.");
  });

  test("can be asked for by type", async () => {
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

  test("end with the failure of the run", async () => {
    const { agent } = await start([{ fail: { status: 500, message: "out of order" } }]);
    const stream = agent.think().text("Hi.").stream();
    await expect(eventsOf(stream)).rejects.toMatchObject({ code: "agent-failed" });
  });
});

describe("the way to the agent", () => {
  const script = [{ call: "activate_skill", input: { name: "tea" } }, GOOD, { say: "Done." }];

  test.each(["http", "stdio"] as const)("is %s when the agent takes it", async (mcp) => {
    const { agent } = await start(script, { mcp });
    const stream = agent.think(VERDICT).skill(TEA).text("Judge the tea.").stream();
    const events = await eventsOf(stream);
    expect(events[0]).toEqual({ type: "bridge-chosen", bridge: mcp, failed: [], unreachable: [] });
    expect(events).toContainEqual(expect.objectContaining({ type: "skill-activated", skill: "tea" }));
    expect(await stream.result).toEqual({ verdict: "good" });
  });

  test("is the agent's own reading of files when it never comes to ask, and the result is taken from its answer", async () => {
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
      unreachable: ["tea"],
    });
    expect(await stream.result).toEqual({ verdict: "bad" });
    expect(scripted.requests[0]?.messages[0]?.text).toMatch(/<location>\/.*code-review\/SKILL\.md<\/location>/);
  });

  test("may be the prompt itself, when that is asked for", async () => {
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

  test("is to call here what the agent only announces, skills and their tools too", async () => {
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

/** An agent that tells of these things and is done. */
function updatingAgent(updates: readonly SessionUpdate[]) {
  return agentApp({ name: "updating" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      for (const update of updates) await client.notify(methods.client.session.update, { sessionId: "1", update });
      return { stopReason: "end_turn" as const };
    });
}
