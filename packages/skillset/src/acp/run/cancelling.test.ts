import { describe, expect, test, vi } from "vitest";
import { connectScripted, eventsOf } from "../../../../../test/acp/connect-scripted.ts";

// A run waits five seconds for an agent that continues after its result or after it was cancelled; here, it waits less.
vi.mock("../link/deadline.ts", async (load) => {
  const { within } = await load<typeof import("../link/deadline.ts")>();
  return { within: <Value>(ms: number, work: Promise<Value>) => within(ms === 5_000 ? 300 : ms, work) };
});

const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };

describe("cancelling", () => {
  test("with a signal ends the turn and the handler, and rejects with the signal's reason", async () => {
    const { agent } = await connectScripted([{ call: "wait", input: {} }, { say: "Done." }]);
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
    const { agent, scripted } = await connectScripted([{ say: "Done." }]);
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
    const { agent } = await connectScripted([{ hang: true }], { signal: controller.signal });
    const run = agent.think().text("Hi.").signal(controller.signal).run();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
    await expect(agent.think().text("Hi.").run()).rejects.toBe(reason);
  });

  test("by closing the agent cancels active runs first", async () => {
    const { agent } = await connectScripted([{ hang: true }]);
    const run = agent.think().text("Hi.").run();
    setTimeout(() => void agent.close(), 100);
    await expect(run).rejects.toMatchObject({ code: "agent-failed", message: "The agent was closed." });
  });

  test("by a timeout reports its length", async () => {
    const { agent } = await connectScripted([{ hang: true }]);
    const run = agent.think().text("Hi.").timeout(200).run();
    await expect(run).rejects.toMatchObject({ code: "run-timed-out", message: expect.stringContaining("200 ms") });
  });

  test("does not happen when a loop ends early: the result still arrives", async () => {
    const { agent } = await connectScripted([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
    const stream = agent.think().skill(TEA).text("Tea.").stream();
    for await (const event of stream) if (event.type === "skill-activated") break;
    expect(await stream.result).toBe("Done.");
    // Events that were not consumed are still available.
    expect((await eventsOf(stream)).map(({ type }) => type)).toContain("message");
  });
});
