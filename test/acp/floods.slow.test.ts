import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectNone, startFaulty, take } from "./faulty-agent.ts";
import { type Instruction, instruct } from "./instructed-agent.ts";

/** Long enough for a busy machine; a test that hangs is still caught. */
const DEADLINE = { timeout: 120_000 };

function thought(text: string): Instruction {
  return { update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text } } };
}

describe.concurrent("an agent that floods", DEADLINE, () => {
  test("with 100,000 chunks that nobody consumes: the oldest events are dropped and counted", async () => {
    await using faulty = await startFaulty(["flood"]);
    const stream = faulty.agent.think().text("Go").stream();
    const answer = await stream.result;
    expect(answer.endsWith("99998 99999")).toBe(true);
    const events = await take(stream);
    const [dropped] = events;
    expect(dropped).toMatchObject({ type: "events-dropped" });
    const count = dropped?.type === "events-dropped" ? dropped.count : 0;
    expect(count + events.length - 1).toBe(100_000);
    expect(events.length).toBeLessThan(20_001);
    expect(events.at(-1)).toEqual({ type: "message", text: "99999 " });
  });

  test("and a slow loop: it gets some events, the number of dropped ones, and the last", async () => {
    await using faulty = await startFaulty(["flood"]);
    const stream = faulty.agent.think().text("Go").stream();
    let [seen, missed, last] = [0, 0, ""];
    for await (const event of stream) {
      if (event.type === "events-dropped") missed += event.count;
      if (event.type === "message") [seen, last] = [seen + 1, event.text];
      if (seen % 1_000 === 0) await sleep(20);
    }
    expect(seen + missed).toBe(100_000);
    expect(last).toBe("99999 ");
  });

  test("with texts of 1 MB that nobody consumes does not fill the memory", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const stream = faulty.agent
      .think()
      .text(instruct({ ...thought("y".repeat(1_000_000)), times: 80 }))
      .stream();
    await stream.result;
    const events = await take(stream);
    const held = events.reduce((sum, event) => sum + (event.type === "thought" ? event.text.length : 0), 0);
    expect(held).toBeLessThan(40_000_000);
    expect(events[0]).toMatchObject({ type: "events-dropped", count: 81 - (events.length - 1) });
  });

  test("with a line of 50 MB is stopped, and the error reports the reason", async () => {
    await using faulty = await startFaulty(["flood-garbage"]);
    await expect(faulty.agent.think().text("Go").run()).rejects.toMatchObject({
      code: "agent-failed",
      message: expect.stringMatching(/limit/),
    });
    await expectNone(faulty.processes);
  });

  test("and an aborted run: the run fails immediately, and the agent is stopped", async () => {
    await using faulty = await startFaulty(["flood"]);
    const controller = new AbortController();
    const stream = faulty.agent.think().text("Go").signal(controller.signal).stream();
    for await (const event of stream) if (event.type === "message") break;
    controller.abort(new Error("too much"));
    await expect(stream.result).rejects.toThrow("too much");
  });
});
