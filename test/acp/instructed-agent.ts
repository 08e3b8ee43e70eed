// An ACP agent that follows the prompt's instructions between <do> and </do>: `node test/acp/instructed-agent.ts
// instructed`.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentApp,
  type AgentContext,
  agent,
  type McpServer,
  ndJsonStream,
  RequestError,
} from "@agentclientprotocol/sdk";
import { AgentServers } from "../../packages/testing/src/agent/agent-servers.ts";

/** One instruction. Its outcome is in the list that the agent sends at the end, as JSON. */
export type Instruction =
  /** Sends an update; to this session, unless it names another. */
  | { readonly update: object; readonly sessionId?: string; readonly times?: number }
  /** Sends a permission request and returns the answer. */
  | { readonly permission: object; readonly sessionId?: string }
  /** Calls a tool, and returns its output as the result. */
  | { readonly relay: string }
  /** Calls MCP tools concurrently, by the ends of their names, and returns their texts; `remembered` reports them too. */
  | { readonly calls: readonly { readonly tool: string; readonly input: object }[]; readonly isRemembered?: true }
  /** Reports the MCP servers of the session, the process ID, or the outcomes that are remembered. */
  | { readonly report: "servers" | "pid" | "remembered" }
  /** Runs after some milliseconds, or once the next turn has begun. `remembered` waits for its outcome and reports it. */
  | { readonly later: Instruction; readonly after: number | "next-turn" }
  /** Stops the process, as with Ctrl-Z. */
  | { readonly freeze: true }
  /** Exits immediately, and leaves a process that ignores SIGTERM. */
  | { readonly crash: number }
  | { readonly wait: number };

/** The text that instructs the agent. */
export function instruct(...instructions: readonly Instruction[]): string {
  return `<do>${JSON.stringify(instructions)}</do>`;
}

/** How the agent behaves, as `key=value` arguments. */
interface Behaviour {
  /** `refused` answers `session/new` with an error, `same` with one ID for all. */
  readonly sessions?: string;
  /** The agent's name. */
  readonly name?: string;
  /** `yes` if the agent supports `session/close`. */
  readonly closes?: string;
}

interface OpenSession {
  readonly sessionId: string;
  readonly mcpServers: readonly McpServer[];
  readonly servers: AgentServers;
}

/** The agent, for any connection. */
export function instructedAgent({ sessions: how = "", name = "instructed-agent", closes }: Behaviour = {}): AgentApp {
  const sessions = new Map<string, OpenSession>();
  const remembered: Promise<unknown>[] = [];
  let nextTurn = Promise.withResolvers<void>();
  return agent()
    .onRequest("initialize", () => ({
      protocolVersion: 1,
      agentInfo: { name, version: "1.0.0" },
      agentCapabilities: {
        mcpCapabilities: { http: true },
        ...(closes === "yes" && { sessionCapabilities: { close: {} } }),
      },
    }))
    .onRequest("session/close", async ({ params: { sessionId } }) => {
      const session = sessions.get(sessionId);
      sessions.delete(sessionId);
      await session?.servers.close();
    })
    .onRequest("session/new", async ({ params: { mcpServers, cwd }, signal }) => {
      if (how === "refused") throw RequestError.internalError({ hint: "buy more" }, "No sessions are left");
      const sessionId = how === "same" ? "1" : crypto.randomUUID();
      const servers = new AgentServers(mcpServers, cwd);
      await servers.connect(signal);
      sessions.set(sessionId, { sessionId, mcpServers, servers });
      return { sessionId };
    })
    .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
      const text = prompt.map((part) => (part.type === "text" ? part.text : "")).join("");
      const [, program = "[]"] = /<do>(.*)<\/do>/s.exec(text) ?? [];
      const session = sessions.get(sessionId) as OpenSession;
      nextTurn.resolve();
      nextTurn = Promise.withResolvers();
      const doing: Doing = { session, client, remembered, nextTurn: nextTurn.promise };
      const outcomes: unknown[] = [];
      for (const one of JSON.parse(program) as Instruction[]) {
        outcomes.push(await follow(one, doing));
      }
      const said = { type: "text" as const, text: JSON.stringify(outcomes) };
      await client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: said },
      });
      return { stopReason: "end_turn" };
    });
}

function serve(app: AgentApp): void {
  process.stdin.on("end", () => process.exit(0));
  process.stdout.on("error", () => process.exit(1));
  app.connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
}

interface Doing {
  readonly session: OpenSession;
  readonly client: AgentContext;
  readonly remembered: Promise<unknown>[];
  readonly nextTurn: Promise<void>;
}

async function follow(one: Instruction, doing: Doing): Promise<unknown> {
  const { session, client, remembered, nextTurn } = doing;
  if ("update" in one) {
    const { sessionId = session.sessionId, times = 1 } = one;
    for (let done = 0; done < times; done++) {
      await client.notify("session/update", { sessionId, update: one.update as never });
    }
    return "told";
  }
  if ("permission" in one) {
    const { sessionId = session.sessionId } = one;
    return client.request("session/request_permission", { sessionId, ...one.permission } as never).then(
      ({ outcome }) => outcome,
      (error: unknown) => ({ error: String(error) }),
    );
  }
  if ("calls" in one) {
    const signal = new AbortController().signal;
    const tools = await session.servers.tools({ refresh: true, signal });
    const called = Promise.all(
      one.calls.map(async ({ tool, input }) => {
        const found = tools.find(({ name }) => name.endsWith(`__${tool}`));
        if (found === undefined) return "no such tool";
        return found.call({ ...input }, signal).then(
          ({ text }) => text,
          (error: unknown) => String(error),
        );
      }),
    );
    if (one.isRemembered) remembered.push(called);
    return called;
  }
  if ("relay" in one) {
    const [result] = (await follow({ calls: [{ tool: one.relay, input: {} }] }, doing)) as string[];
    return follow({ calls: [{ tool: "return_result", input: { result } }] }, doing);
  }
  if ("report" in one) {
    return { servers: session.mcpServers, pid: process.pid, remembered: Promise.all(remembered) }[one.report];
  }
  if ("later" in one) {
    const start = one.after === "next-turn" ? nextTurn : sleep(one.after);
    remembered.push(start.then(() => follow(one.later, doing)));
    return "later";
  }
  if ("freeze" in one) return process.kill(process.pid, "SIGSTOP");
  if ("wait" in one) return sleep(one.wait);
  const stubborn = "process.on('SIGTERM', () => {}); console.log('ready'); setTimeout(() => {}, 600_000)";
  const child = spawn(process.execPath, ["--eval", stubborn], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  writeSync(2, "the last words\n");
  process.exit(one.crash);
}

if (import.meta.main) {
  const pairs = process.argv.slice(3).map((argument) => argument.split("="));
  serve(instructedAgent(Object.fromEntries(pairs)));
}
