import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { type Agent, connectAgent } from "../../packages/skillset/src/acp/index.ts";
import { report } from "../security/report.ts";
import { faultyCommand, startFaulty } from "./faulty-agent.ts";
import { instruct, instructedAgent } from "./instructed-agent.ts";
import { openNow, TELLS_PROCESSES } from "./left-behind.ts";

/** The number of runs for a full soak test. */
const FULL = process.env.SOAK === undefined ? undefined : Number(process.env.SOAK);
const ROUNDS = 5;

describe.runIf(TELLS_PROCESSES)("many runs, one after another", { timeout: 600_000 }, () => {
  test.each([
    ["http", FULL ?? 40],
    ["stdio", FULL ?? 20],
  ] as const)("over %s on an agent in this process leave nothing behind: %i", async (bridge, runs) => {
    await using agent = await connectAgent(instructedAgent({ closes: "yes" }), { bridge });
    await soak(agent, runs, bridge);
  });

  test.each([["http", FULL === undefined ? 15 : Math.min(FULL, 100)]] as const)(
    "over %s on an agent in a separate process leave nothing behind: %i",
    async (bridge, runs) => {
      await using faulty = await startFaulty(["instructed", "closes=yes"], { bridge });
      await soak(faulty.agent, runs, `${bridge}, an agent in a separate process`);
      expect(faulty.processes()).toHaveLength(1);
    },
  );

  test("on newly started agents leave nothing behind", async () => {
    const runs = FULL === undefined ? 5 : Math.min(FULL, 100);
    const { command, processes } = faultyCommand("instructed");
    const { signal } = new AbortController();
    const before = openNow();
    for (let run = 0; run < runs; run++) {
      await using agent = await connectAgent(command, { signal });
      assert.equal(await runOnce(agent), 7);
    }
    await vi.waitFor(() => expect(openNow()).toEqual(before), { timeout: 10_000 });
    expect(processes()).toEqual([]);
  });
});

describe("50 concurrent runs on one agent", { timeout: 600_000 }, () => {
  test.each(["http", "stdio"] as const)("over %s, each with its own secret: none gets another's", async (bridge) => {
    await using agent = await connectAgent(instructedAgent({ closes: "yes" }), { bridge, bridgeTimeout: 60_000 });
    const ids = Array.from({ length: 50 }, (_, index) => `secret-${index}-${crypto.randomUUID()}`);
    const results = await Promise.all(
      ids.map((id) =>
        agent
          .think({ type: "string", const: id })
          .text(instruct({ relay: "reveal" }))
          .tool("reveal", "Returns the secret", () => id)
          .run(),
      ),
    );
    expect(results).toEqual(ids);
    report("S15", { tried: "concurrent runs on one agent", cases: ids.length, through: 0, note: `over ${bridge}` });
  });
});

/** Runs in rounds, and compares open handles and memory after the first round with those after the last. */
async function soak(agent: Agent, runs: number, how: string): Promise<void> {
  const { signal } = new AbortController();
  const used: number[] = [];
  const open: object[] = [];
  let promises = 0;
  const perRound = Math.ceil(runs / ROUNDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (let run = 0; run < perRound; run++) await runSomehow(agent, run, signal);
    used.push(await usedBytes());
    open.push({ ...openNow(), resources: countResources() });
    // Everything that is retained of a run has promises; counting them takes a second.
    if (round === 0) promises = countPromises();
  }
  // One-time resources are loaded and open after the first round.
  await vi.waitFor(() => expect({ ...openNow(), resources: countResources() }).toEqual(open[0]), { timeout: 10_000 });
  expect(getEventListeners(signal, "abort"), "listeners on a signal that is reused").toEqual([]);
  expect(countPromises() - promises, "retained promises").toBeLessThan(40 + perRound);
  const growth = Math.min(...used.slice(-2)) - Math.min(...used.slice(1, 3));
  console.log(`${how}: ${used.map((bytes) => (bytes / 1e6).toFixed(1)).join(", ")} MB in use after each round`);
  expect(growth, `${growth} bytes more after ${3 * perRound} runs`).toBeLessThan(1e6 + 1_000 * 3 * perRound);
  report("S15", {
    tried: "runs on one agent, one after another",
    cases: perRound * ROUNDS,
    through: 0,
    note: `over ${how}`,
  });
}

/** Most runs succeed; some are rejected, some are aborted during a tool call, and some are prompts of a session. */
async function runSomehow(agent: Agent, index: number, signal: AbortSignal): Promise<void> {
  switch (index % 8) {
    case 3:
      return assert.rejects(runOnce(agent, { result: "none" }), { code: "result-invalid" });
    case 5:
      return assert.rejects(runAborted(agent), /enough/);
    case 7: {
      await using session = agent.session();
      assert.equal(await session.think({ type: "number" }).text(returning(1)).signal(signal).run(), 1);
      assert.equal(
        await session
          .think()
          .text(instruct({ wait: 1 }))
          .run(),
        "[null]",
      );
      return;
    }
    default:
      assert.equal(await runOnce(agent), 7);
  }
}

function runOnce(agent: Agent, input: object = { result: 7 }): Promise<unknown> {
  const calls = Array.from({ length: 5 }, () => ({ tool: "return_result", input }));
  return agent
    .think({ type: "number" })
    .text(instruct({ calls: [{ tool: "note", input: {} }] }, { calls }))
    .skill({ name: "in-code", description: "Is in code.", body: "Hello." })
    .tool("note", "Notes", () => "noted")
    .run();
}

async function runAborted(agent: Agent): Promise<unknown> {
  const controller = new AbortController();
  return agent
    .think()
    .text(instruct({ calls: [{ tool: "wait", input: {} }] }))
    .tool("wait", "Waits", () => {
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    })
    .signal(controller.signal)
    .run();
}

function returning(result: unknown): string {
  return instruct({ calls: [{ tool: "return_result", input: { result } }] });
}

/** The resources that keep this program alive, without short-lived ones. */
function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  const { TCPServerWrap = 0, TCPSocketWrap = 0, ProcessWrap = 0, Timeout = 0 } = counts;
  return { TCPServerWrap, TCPSocketWrap, ProcessWrap, Timeout };
}

/** The number of promises that are still referenced. */
function countPromises(): number {
  return queryObjects(Promise as never, { format: "count" });
}

async function usedBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
