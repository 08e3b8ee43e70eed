import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { connectAgent } from "../../packages/skillset/src/acp/index.ts";
import { type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { commandLine, expectNone, faultyCommand, isSuspended, startFaulty, take } from "./faulty-agent.ts";
import { type Instruction, instruct } from "./instructed-agent.ts";

const NUMBER = { type: "number" };
const SECONDS = 1_000;
/** Long enough for a busy machine; a test that hangs is still caught. */
const DEADLINE = { timeout: 45 * SECONDS };
/** The time that an agent that never lists the tools gets for each transport. */
const SOON = { bridgeTimeout: 500 };

describe.concurrent("an agent that cannot start", DEADLINE, () => {
  test("is an error with its exit code and its last output", async () => {
    const { command, processes } = faultyCommand("exit-at-start");
    await expect(connectAgent(command)).rejects.toMatchObject({
      code: "agent-failed",
      message: expect.stringMatching(/exited with code 3.*Its last output:\nThis agent cannot start: no licence\.$/s),
    });
    await expectNone(processes);
  });

  test("because it does not answer is stopped after the timeout", async () => {
    const { command, processes } = faultyCommand("hang-initialize");
    await expect(connectAgent(command, { startTimeout: 1_500 })).rejects.toMatchObject({
      code: "agent-failed",
      message: expect.stringContaining("did not respond within 1500 ms"),
    });
    await expectNone(processes);
  });

  test("because the program is missing is an error", async () => {
    await expect(connectAgent({ command: "no-such-agent-program" })).rejects.toMatchObject({
      code: "agent-not-found",
      message: "The agent 'no-such-agent-program' cannot be started: the program was not found.",
    });
  });

  test("a session fails the run with the agent's error, and the next one can be tried", async () => {
    await using faulty = await startFaulty(["instructed", "sessions=refused"]);
    for (let run = 0; run < 2; run++) {
      await expect(faulty.agent.think(NUMBER).text("Go").run()).rejects.toMatchObject({
        code: "agent-failed",
        message: expect.stringMatching(/refused 'session\/new': .*No sessions are left.*buy more/),
      });
    }
  });
});

describe.concurrent("the signal of connectAgent", DEADLINE, () => {
  test("that is already aborted starts nothing", async () => {
    const { command, processes } = faultyCommand("hang");
    await expect(connectAgent(command, { signal: AbortSignal.abort(new Error("not now")) })).rejects.toThrow("not now");
    expect(processes()).toEqual([]);
  });

  test("stops an agent that is starting", async () => {
    const { command, processes } = faultyCommand("hang-initialize");
    const controller = new AbortController();
    const connecting = connectAgent(command, { signal: controller.signal });
    connecting.catch(() => {});
    await vi.waitFor(() => expect(processes()).toHaveLength(1), { timeout: 10_000 });
    controller.abort(new Error("changed my mind"));
    await expect(connecting).rejects.toThrow("changed my mind");
    await expectNone(processes);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("stops a running agent, and the active run fails with its reason", async () => {
    const controller = new AbortController();
    await using faulty = await startFaulty(["hang"], { signal: controller.signal });
    const run = faulty.agent.think().text("Go").run();
    run.catch(() => {});
    await sleep(300);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    await expectNone(faulty.processes);
  });

  test("is not retained by a closed agent", async () => {
    const { signal } = new AbortController();
    await using faulty = await startFaulty(["no-mcp"], { signal });
    await faulty.agent.close();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe.concurrent("an agent that dies in a turn", DEADLINE, () => {
  test("fails the run with its exit code and last output, and all later requests too", async () => {
    await using faulty = await startFaulty(["exit-mid-turn"]);
    const failure = {
      code: "agent-failed",
      message: "The agent exited with code 7. Its last output:\nfirst line\nsecond line\nthird line",
    };
    await expect(faulty.agent.think().text("Go").run()).rejects.toMatchObject(failure);
    await expect(faulty.agent.think().text("Again").run()).rejects.toMatchObject(failure);
  });

  test("fails the run with its exit code although one of its processes keeps running for a while", async () => {
    await using faulty = await startFaulty(["instructed"]);
    await expect(
      faulty.agent
        .think()
        .text(instruct({ crash: 9 }))
        .run(),
    ).rejects.toMatchObject({
      message: "The agent exited with code 9. Its last output:\nthe last words",
    });
    await expectNone(faulty.processes);
  });

  test("aborts the handlers that work for it", async () => {
    await using model = await startScriptedModel([{ call: "wait" }]);
    await using faulty = await startFaulty(["model", model.url]);
    const aborted = Promise.withResolvers<unknown>();
    const called = Promise.withResolvers<void>();
    const run = faulty.agent
      .think()
      .text("Go")
      .tool("wait", "Waits", (_input, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        called.resolve();
        return new Promise(() => {});
      })
      .run();
    run.catch(() => {});
    await called.promise;
    process.kill(Math.min(...faulty.processes()), "SIGKILL");
    await expect(run).rejects.toMatchObject({ code: "agent-failed", message: "The agent was ended by SIGKILL." });
    expect(await aborted.promise).toBeInstanceOf(Error);
  });

  test("takes its child processes with it when it is killed", async () => {
    await using faulty = await startFaulty(["grandchild"]);
    expect(faulty.processes()).toHaveLength(2);
    process.kill(Math.min(...faulty.processes()), "SIGKILL");
    await expectNone(faulty.processes);
    await expect(faulty.agent.think().text("Go").run()).rejects.toMatchObject({ code: "agent-failed" });
  });
});

describe.concurrent("an agent that does not stop", DEADLINE, () => {
  test.each(["hang", "deaf"])("is stopped when its run is aborted, which fails with the reason: %s", async (mode) => {
    await using faulty = await startFaulty([mode]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const run = faulty.agent.think().text("Go").signal(controller.signal).run();
    run.catch(() => {});
    await sleep(300);
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    await expectNone(faulty.processes);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await expect(faulty.agent.think().text("Again").run()).rejects.toMatchObject({ code: "agent-failed" });
  });

  test("is stopped after the timeout, which the error reports", async () => {
    await using faulty = await startFaulty(["hang"]);
    await expect(faulty.agent.think().text("Go").timeout(300).run()).rejects.toMatchObject({ code: "run-timed-out" });
    await expectNone(faulty.processes);
  });

  test("and does not read its input cannot delay the end of its run", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const session = faulty.agent.session();
    await session
      .think()
      .text(instruct({ later: { freeze: true }, after: 100 }))
      .run();
    await vi.waitFor(() => expect(faulty.processes().some(isSuspended)).toBe(true));
    // More than the pipe buffer holds.
    const run = session.think().text("x".repeat(1_000_000)).timeout(500).run();
    await expect(run).rejects.toMatchObject({ code: "run-timed-out" });
    await expectNone(faulty.processes);
  });

  test("is stopped by close() although it ignores the end of its input and SIGTERM", async () => {
    await using faulty = await startFaulty(["deaf"]);
    await faulty.agent.close();
    await expectNone(faulty.processes);
  });
});

describe.concurrent("an agent that sends invalid output", DEADLINE, () => {
  test("on its stdout, before each message, still works", async () => {
    await using model = await startScriptedModel([{ call: "return_result", input: { result: 5 } }, { say: "Done." }]);
    await using faulty = await startFaulty(["broken-json", model.url]);
    expect(await faulty.agent.think(NUMBER).text("Go").run()).toBe(5);
  });

  test("in messages that are not JSON-RPC, answer nothing or have wrong types, still works", async () => {
    await using faulty = await startFaulty(["broken-message"]);
    expect(await faulty.agent.think().text("Go").run()).toBe("Done.");
  });
});

describe.concurrent("an agent with MCP servers", DEADLINE, () => {
  const RESULT: readonly ScriptStep[] = [{ call: "return_result", input: { result: 5 } }, { say: "Done." }];

  test("that never connects falls back to file reads, after http and stdio have failed in this order", async () => {
    await using faulty = await startFaulty(["no-mcp"], SOON);
    const stream = faulty.agent
      .think()
      .text("Go")
      .skill({ name: "in-code", description: "Is in code.", body: "Hello." })
      .stream({ include: ["bridge-chosen"] });
    expect(await take(stream)).toEqual([
      { type: "bridge-chosen", bridge: "file-read", failed: ["http", "stdio"], unreachable: [] },
    ]);
    expect(await stream.result).toBe("Done.");
  });

  test("that connects late, but in time, causes no failure", async () => {
    await using model = await startScriptedModel(RESULT);
    await using faulty = await startFaulty(["slow-mcp", "1500", model.url], { bridgeTimeout: 15_000 });
    const stream = faulty.agent
      .think(NUMBER)
      .text("Go")
      .stream({ include: ["bridge-chosen"] });
    expect(await take(stream)).toEqual([{ type: "bridge-chosen", bridge: "http", failed: [], unreachable: [] }]);
    expect(await stream.result).toBe(5);
  });

  test("that connects too late: the result is taken from its answer", async () => {
    await using model = await startScriptedModel([{ say: "Here it is:\n\n```json\n5\n```" }], {
      isSide: () => false,
    });
    await using faulty = await startFaulty(["slow-mcp", "60000", model.url], SOON);
    const stream = faulty.agent
      .think(NUMBER)
      .text("Go")
      .stream({ include: ["bridge-chosen"] });
    expect(await take(stream)).toEqual([
      { type: "bridge-chosen", bridge: "announced", failed: ["http", "stdio"], unreachable: [] },
    ]);
    expect(await stream.result).toBe(5);
  });

  test("that supports only stdio: http is not tried", async () => {
    await using model = await startScriptedModel(RESULT);
    await using faulty = await startFaulty(["stdio-only", model.url]);
    const stream = faulty.agent
      .think(NUMBER)
      .text("Go")
      .stream({ include: ["bridge-chosen"] });
    expect(await take(stream)).toEqual([{ type: "bridge-chosen", bridge: "stdio", failed: [], unreachable: [] }]);
    expect(await stream.result).toBe(5);
  });

  test("that fails over http although it declares it: http is tried once, then stdio", async () => {
    await using model = await startScriptedModel(RESULT);
    await using faulty = await startFaulty(["http-broken", model.url], { bridgeTimeout: 3_000 });
    const stream = faulty.agent
      .think(NUMBER)
      .text("Go")
      .stream({ include: ["bridge-chosen"] });
    expect(await take(stream)).toEqual([{ type: "bridge-chosen", bridge: "stdio", failed: ["http"], unreachable: [] }]);
    expect(await stream.result).toBe(5);
  });

  test("over stdio: the bridge program is gone when the run is over, although the agent keeps running", async () => {
    await using model = await startScriptedModel(RESULT);
    await using faulty = await startFaulty(["stdio-only", model.url]);
    const bridges = () => faulty.processes().filter((pid) => commandLine(pid).includes("mcp-bridge"));
    let during: readonly number[] = [];
    const stream = faulty.agent.think(NUMBER).text("Go").stream();
    for await (const event of stream) if (event.type === "bridge-chosen") during = bridges();
    expect(during).toHaveLength(1);
    await expectNone(bridges);
    expect(faulty.processes()).toHaveLength(1);
  });
});

describe.concurrent("close()", DEADLINE, () => {
  test("fails active runs, stops the agent, and can be called repeatedly and concurrently", async () => {
    await using faulty = await startFaulty(["hang"]);
    const { agent } = faulty;
    const runs = [agent.think().text("One").run(), agent.think().text("Two").run()];
    for (const run of runs) run.catch(() => {});
    await sleep(300);
    await Promise.all([agent.close(), agent.close()]);
    for (const run of runs) await expect(run).rejects.toMatchObject({ message: "The agent was closed." });
    await agent.close();
    await expectNone(faulty.processes);
    await expect(agent.think().text("Three").run()).rejects.toMatchObject({ code: "agent-failed" });
    await expect(agent.session().think().text("Four").run()).rejects.toMatchObject({ code: "agent-failed" });
  });

  test("fails a run whose session is being started", async () => {
    await using faulty = await startFaulty(["no-mcp"], { bridgeTimeout: 30_000 });
    const run = faulty.agent.think(NUMBER).text("Go").run();
    run.catch(() => {});
    await sleep(300);
    await faulty.agent.close();
    await expect(run).rejects.toMatchObject({ message: "The agent was closed." });
  });

  test("of a session fails its active run, and keeps the agent", async () => {
    await using model = await startScriptedModel([{ hang: true }]);
    await using faulty = await startFaulty(["model", model.url]);
    const session = faulty.agent.session();
    const run = session.think().text("Go").run();
    run.catch(() => {});
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 20_000 });
    await session.close();
    await expect(run).rejects.toMatchObject({ code: "agent-failed" });
    expect(faulty.processes()).toHaveLength(1);
  });

  test("of a session fails its run even if the agent does not support closing and ignores cancellation", async () => {
    await using faulty = await startFaulty(["hang"]);
    const session = faulty.agent.session();
    const run = session.think().text("Go").run();
    run.catch(() => {});
    await sleep(1_500);
    await session.close();
    await expect(run).rejects.toMatchObject({ code: "agent-failed" });
  });

  test("stops agents of one kind with one run each, including one that is starting", async () => {
    await using faulty = await startFaulty(["instructed", "name=OpenCode"]);
    const runs = Array.from({ length: 3 }, () =>
      faulty.agent
        .think()
        .text(instruct({ wait: 60_000 }))
        .run(),
    );
    for (const run of runs) run.catch(() => {});
    await vi.waitFor(() => expect(faulty.processes().length).toBeGreaterThan(1), { timeout: 10_000, interval: 1 });
    await faulty.agent.close();
    for (const run of runs) await expect(run).rejects.toMatchObject({ message: "The agent was closed." });
    expect(faulty.processes()).toEqual([]);
    await expect(faulty.agent.think().text(instruct()).run()).rejects.toMatchObject({ code: "agent-failed" });
  });

  test("stops the agent's child processes, which hold its stdout", async () => {
    await using faulty = await startFaulty(["grandchild"]);
    expect(await faulty.agent.think().text("Go").run()).toBe("Done.");
    expect(faulty.processes()).toHaveLength(2);
    await faulty.agent.close();
    expect(faulty.processes()).toEqual([]);
  });
});

function thought(text: string): Instruction {
  return { update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text } } };
}

describe.concurrent("a stream", DEADLINE, () => {
  test("whose loop ends early continues, and its result still arrives", async () => {
    await using faulty = await startFaulty(["flood"]);
    const stream = faulty.agent.think().text("Go").stream();
    for await (const event of stream) if (event.type === "message") break;
    expect((await stream.result).endsWith("99999")).toBe(true);
  });

  test("can be consumed by two loops at once: each event goes to one of them, and both end", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const told = Array.from({ length: 20 }, (_, index) => [thought(String(index)), { wait: 10 }]).flat();
    const stream = faulty.agent
      .think()
      .text(instruct(...told))
      .stream({ include: ["thought"] });
    const loops = await Promise.all([take(stream), take(stream)]);
    const texts = loops.flat().map((event) => (event.type === "thought" ? Number(event.text) : -1));
    expect(texts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test("whose loop ends early leaves the rest for the next loop, in order", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const stream = faulty.agent
      .think()
      .text(instruct(...["a", "b", "c", "d"].map(thought)))
      .stream({ include: ["thought"] });
    await stream.result;
    const seen: string[] = [];
    for (let round = 0; round < 2; round++) {
      for await (const { text } of stream) {
        seen.push(text);
        if (text === "b") break;
      }
    }
    expect(seen).toEqual(["a", "b", "c", "d"]);
  });
});

describe.concurrent("a session", DEADLINE, () => {
  test("answers one prompt at a time, even if a queued one is aborted", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const session = faulty.agent.session();
    const order: string[] = [];
    const first = session
      .think()
      .text(instruct({ wait: 1_500 }))
      .run()
      .then(() => order.push("first"));
    const aborted = session.think().text(instruct()).signal(AbortSignal.timeout(200)).run();
    const third = session
      .think()
      .text(instruct())
      .run()
      .then(() => order.push("third"));
    await expect(aborted).rejects.toThrow();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });
});
