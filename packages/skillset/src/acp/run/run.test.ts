import { agent as agentApp, methods } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { connectScripted, eventsOf } from "../../../../../test/acp/connect-scripted.ts";
import { connectAgent } from "../index.ts";

// A run waits five seconds for an agent that continues after its result or after it was cancelled; here, it waits less.
vi.mock("../link/deadline.ts", async (load) => {
  const { within } = await load<typeof import("../link/deadline.ts")>();
  return { within: <Value>(ms: number, work: Promise<Value>) => within(ms === 5_000 ? 300 : ms, work) };
});

const VERDICT = z.object({ verdict: z.enum(["good", "bad"]) });
const GOOD = { call: "return_result", input: { verdict: "good" } };
const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };

describe("a result", () => {
  test("that is invalid is sent back with the reason, and the next one is accepted", async () => {
    const { agent, scripted } = await connectScripted([
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
    const { agent } = await connectScripted([
      ...Array(9).fill({ call: "return_result", input: { verdict: 1 } }),
      { say: "Done." },
    ]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({ code: "result-invalid", message: expect.stringContaining("verdict") });
  });

  test("that is missing is requested once more", async () => {
    const { agent, scripted } = await connectScripted([{ say: "I think it is good." }, GOOD, { say: "Done." }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    expect(scripted.requests[1]?.messages.at(-1)?.text).toMatch(/^There is no result yet\. .*`return_result`/);
  });

  test("that was rejected is requested once more with the reason, and then fails the run with it", async () => {
    const refused = { call: "return_result", input: { verdict: "maybe" } };
    const { agent, scripted } = await connectScripted([refused, { say: "That is it." }, { say: "I said so." }]);
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
    const { agent } = await connectScripted([{ say: "Hm." }, { say: "I cannot." }]);
    const run = agent.think(VERDICT).text("Judge.").run();
    await expect(run).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(/`return_result`.*I cannot\./),
    });
  });

  test("remains valid although the agent keeps running afterwards", { timeout: 30_000 }, async () => {
    const { agent } = await connectScripted([GOOD, { hang: true }]);
    expect(await agent.think(VERDICT).text("Judge.").run()).toEqual({ verdict: "good" });
    // The turn was cancelled, and the agent still runs.
    expect(await agent.think(VERDICT).text("Judge again.").timeout(20_000).run()).toEqual({ verdict: "good" });
  });

  test("with additional properties is accepted, although the agent asks for permission first", async () => {
    const { agent } = await connectScripted([{ call: "return_result", input: { n: 1, m: 2 } }, { say: "Done." }]);
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect(await agent.think(schema).text("Count.").run()).toEqual({ n: 1, m: 2 });
  });

  test("without a schema is the agent's text after its last tool call", async () => {
    const { agent } = await connectScripted([
      { say: "Let me see.", call: "activate_skill", input: { name: "tea" } },
      { say: " Three minutes. " },
    ]);
    expect(await agent.think().skill(TEA).text("How long?").run()).toBe("Three minutes.");
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
    const { agent } = await connectScripted([
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
    const { agent, scripted } = await connectScripted([
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
  const { agent } = await connectScripted([GOOD, { hang: true }]);
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
  const { agent } = await connectScripted([]);
  expect(() => agent.think("Hello" as never)).toThrow("think() takes a schema");
  await expect(connectAgent({ comand: "x" } as never)).rejects.toThrow("The agent must be a known name");
  await expect(connectAgent({ command: "" })).rejects.toThrow("The agent must be a known name");
  await expect(connectAgent("clod" as never)).rejects.toThrow("Unknown agent 'clod'");
});
