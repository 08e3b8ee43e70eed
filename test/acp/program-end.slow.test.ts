import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { commandLine, expectNone, faultyCommand, LIBRARY } from "./faulty-agent.ts";

const DEADLINE = { timeout: 45_000 };
const NOTE: readonly ScriptStep[] = [{ call: "note" }, { say: "Noted." }];

describe.concurrent("a program that never closes its agent", DEADLINE, () => {
  test.each(["no-mcp", "grandchild"])("ends on its own, and the agent with it: %s", async (mode) => {
    const program = start([mode], `console.log(await agent.think().text("Go").run());`);
    expect(await program.ended).toEqual({ code: 0, signal: null, out: "Done.\n", errors: "" });
    await expectNone(program.processes);
  });

  test("ends on its own, and with it an agent that ignores everything but SIGKILL", async () => {
    const program = start(["deaf"], `console.log(agent.name);`);
    expect(await program.ended).toMatchObject({ code: 0, out: "plain-agent\n", errors: "" });
    await expectNone(program.processes);
  });

  test.each(["http", "stdio"])("ends on its own after a run with tools over %s", async (bridge) => {
    await using model = await startScriptedModel(NOTE);
    const run = `console.log(await agent.think().text("Go").tool("note", "Notes", () => {}).run());`;
    const program = start(["model", model.url], run, { bridge });
    expect(await program.ended).toMatchObject({ code: 0, out: "Noted.\n", errors: "" });
    await expectNone(program.processes);
  });

  test.each(["http", "stdio"])("and its session ends on its own after a prompt with tools over %s", async (bridge) => {
    await using model = await startScriptedModel([{ call: "call_tool", input: { tool: "note" } }, { say: "Noted." }]);
    const prompt = `agent.session().think().text("Go").tool("note", "Notes", () => {}).run()`;
    const program = start(["model", model.url], `console.log(await ${prompt});`, { bridge });
    expect(await program.ended).toMatchObject({ code: 0, out: "Noted.\n", errors: "" });
    await expectNone(program.processes);
  });

  test("waits for a run that is not awaited, and then ends", async () => {
    const program = start(["no-mcp"], `agent.think().text("Go").run().then(console.log);`);
    expect(await program.ended).toMatchObject({ code: 0, out: "Done.\n", errors: "" });
    await expectNone(program.processes);
  });

  test.each([
    ["throws", `throw new Error("my own");`, 1],
    ["exits in a run", `agent.think().text("Go").run(); setTimeout(() => process.exit(3), 500);`, 3],
  ])("and %s takes the agent with it", async (_how, body, code) => {
    const program = start(["deaf"], body);
    expect(await program.ended).toMatchObject({ code });
    await expectNone(program.processes);
  });

  test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "and is killed by %s during a call takes agent and bridge with it",
    async (signal) => {
      await using model = await startScriptedModel(NOTE);
      const wait = `await agent.think().text("Go").tool("note", "Notes", () => new Promise(() => console.log("called"))).run();`;
      const program = start(["stdio-only", model.url], wait);
      await program.said("called");
      const bridges = program.processes().filter((pid) => commandLine(pid).includes("mcp-bridge"));
      expect(bridges).toHaveLength(1);
      expect(program.processes()).toHaveLength(2);
      program.kill(signal);
      expect(await program.ended).toMatchObject({ code: null, signal });
      await expectNone(program.processes);
    },
  );
});

describe.concurrent("an unhandled failure", DEADLINE, () => {
  test("does not end the program: a stream that is not consumed", async () => {
    const body = `agent.think().text("Go").stream(); setTimeout(() => console.log("still here"), 1_500);`;
    const program = start(["exit-mid-turn"], body);
    expect(await program.ended).toEqual({ code: 0, signal: null, out: "still here\n", errors: "" });
  });

  test("does not end the program: an agent that dies between two runs", async () => {
    const body = `
      await agent.think().text("Go").run();
      agentPid().forEach((pid) => process.kill(pid, "SIGKILL"));
      setTimeout(() => console.log("still here"), 1_500);`;
    const program = start(["no-mcp"], body);
    expect(await program.ended).toEqual({ code: 0, signal: null, out: "still here\n", errors: "" });
  });

  test("is thrown at the end of the loop over its events", async () => {
    const body = `try { for await (const _ of agent.think().text("Go").stream()); } catch (e) { console.log(e.code); }`;
    const program = start(["exit-mid-turn"], body);
    expect(await program.ended).toMatchObject({ code: 0, out: "agent-failed\n", errors: "" });
  });
});

/** Starts a program that connects to an agent and runs the body. */
function start([mode, ...args]: readonly [string, ...string[]], body: string, options: object = {}) {
  const { command, processes } = faultyCommand(mode, ...args);
  const source = `
    import { readFileSync } from "node:fs";
    import { connectAgent } from ${JSON.stringify(LIBRARY)};
    const agentPid = () => readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim().split(" ").map(Number);
    const agent = await connectAgent(${JSON.stringify(command)}, ${JSON.stringify(options)});
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "pipe"],
    // A program that does not end must not outlive the test.
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  const errors = text(child.stderr);
  const ended = once(child, "close").then(async ([code, signal]) => ({ code, signal, out, errors: await errors }));
  return {
    ended,
    processes,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    said: (word: string) => vi.waitFor(() => expect(out).toContain(word), { timeout: 20_000 }),
  };
}
