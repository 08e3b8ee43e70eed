// An ACP agent over stdin and stdout with one selectable behaviour: `node test/acp/agent-program.ts MODE [arguments]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import {
  type AgentApp,
  type AgentContext,
  type AnyMessage,
  agent,
  ndJsonStream,
  type PromptRequest,
  type PromptResponse,
} from "@agentclientprotocol/sdk";
import { createModelAgent, type ModelAgentOptions } from "../../packages/testing/src/agent/model-agent.ts";

const never = <Value>(): Promise<Value> => new Promise(() => {});

/** The modes. A mode with an optional model URL answers "Done." without one. */
const MODES: Readonly<Record<string, (...given: string[]) => void | Promise<void>>> = {
  /** A correct agent: URL. */
  model: (url) => serve(agentOver(url)),
  "exit-at-start": () => {
    writeSync(2, "This agent cannot start: no licence.\n");
    process.exit(3);
  },
  "exit-mid-turn": () =>
    serve(
      plainAgent(async (params, client) => {
        await say(params, client, "I am about to");
        writeSync(2, "first line\nsecond line\nthird line\n");
        process.exit(7);
      }),
    ),
  /** Ends at EOF and at SIGTERM, but never answers a prompt and ignores session/cancel. */
  hang: () => serve(plainAgent(never)),
  "hang-initialize": () => serve(agent().onRequest("initialize", never)),
  /** Hangs, and ends only on SIGKILL. */
  deaf: () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
    setInterval(() => {}, 60_000);
    serve(plainAgent(never));
  },
  flood: () =>
    serve(
      plainAgent(async (params, client) => {
        for (let index = 0; index < 100_000; index++) await say(params, client, `${index} `);
        return { stopReason: "end_turn" };
      }),
    ),
  /** Writes 50 MB of one unfinished line: any later answer belongs to that line. */
  "flood-garbage": () =>
    serve(
      plainAgent(async () => {
        const chunk = Buffer.alloc(1_000_000, "x");
        for (let index = 0; index < 50; index++) {
          if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
        }
        return never();
      }),
    ),
  /** A correct agent that prints to stdout before each message: [URL]. */
  "broken-json": (url) => serve(agentOver(url), { out: () => void writeSync(1, 'Loading {"model":\n}{\n') }),
  "broken-message": () =>
    serve(
      plainAgent(async (params, client) => {
        for (const line of brokenMessages(params.sessionId)) writeSync(1, `${JSON.stringify(line)}\n`);
        return answerDone(params, client);
      }),
    ),
  "unknown-update": () =>
    serve(
      plainAgent(async (params, client) => {
        const update = { sessionUpdate: "weather_update", forecast: "rain" };
        await client.notify("session/update", { sessionId: params.sessionId, update: update as never });
        return answerDone(params, client);
      }),
    ),
  /** Answers with its environment, as JSON. */
  environment: () =>
    serve(
      plainAgent(async (params, client) => {
        await say(params, client, JSON.stringify(process.env));
        return { stopReason: "end_turn" };
      }),
    ),
  /** Declares MCP over HTTP and accepts all servers, but connects to none. */
  "no-mcp": () => serve(plainAgent()),
  /** A correct agent that connects late: milliseconds, URL. */
  "slow-mcp": (delay, url) => serve(agentOver(url, { connects: Number(delay) })),
  /** A correct agent without MCP over HTTP: URL. */
  "stdio-only": (url) => serve(agentOver(url, { mcp: "stdio" })),
  /** Declares MCP over HTTP, but connects only to stdio servers: URL. */
  "http-broken": (url) => serve(agentOver(url), { in: dropHttpServers }),
  /**
   * A correct agent that leaves a process behind, which holds its stdout and stderr, and prints its ID to stderr:
   * [URL].
   */
  grandchild: (url) => {
    const program = ["--eval", "setTimeout(() => {}, 600_000)"];
    const child = spawn(process.execPath, program, { stdio: ["ignore", "inherit", "inherit"] });
    child.unref();
    writeSync(2, `grandchild ${child.pid}\n`);
    serve(agentOver(url));
  },
};

type Prompted = (params: PromptRequest, client: AgentContext) => Promise<PromptResponse>;

/** An agent that accepts any MCP server, uses none, and answers prompts with a function. */
function plainAgent(prompted: Prompted = answerDone): AgentApp {
  return agent()
    .onRequest("initialize", () => ({
      protocolVersion: 1,
      agentInfo: { name: "plain-agent", version: "1.0.0" },
      agentCapabilities: { mcpCapabilities: { http: true } },
    }))
    .onRequest("session/new", () => ({ sessionId: crypto.randomUUID() }))
    .onRequest("session/prompt", ({ params, client }) => prompted(params, client));
}

function agentOver(url: string | undefined, options: ModelAgentOptions = {}): AgentApp {
  return url === undefined ? plainAgent() : createModelAgent(url, options);
}

async function answerDone(params: PromptRequest, client: AgentContext): Promise<PromptResponse> {
  await say(params, client, "Done.");
  return { stopReason: "end_turn" };
}

async function say({ sessionId }: PromptRequest, client: AgentContext, text: string): Promise<void> {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } as const;
  await client.notify("session/update", { sessionId, update });
}

/** JSON that is not JSON-RPC, a response to no request, and updates with wrong types. */
function brokenMessages(sessionId: string): readonly unknown[] {
  const update = (params: unknown) => ({ jsonrpc: "2.0", method: "session/update", params });
  return [
    null,
    "text",
    7,
    [],
    {},
    { hello: "world" },
    { jsonrpc: "1.0", method: 5 },
    { jsonrpc: "2.0", id: 987_654, result: {} },
    { jsonrpc: "2.0", id: null, error: { code: "none" } },
    update(undefined),
    update({ sessionId: 5, update: 6 }),
    update({ sessionId, update: { sessionUpdate: "no-such-update" } }),
    update({ sessionId, update: { sessionUpdate: "tool_call", toolCallId: 7, title: null } }),
    update({ sessionId, update: { sessionUpdate: "agent_message_chunk", content: "text" } }),
    update({ sessionId: "no-such-session", update: { sessionUpdate: "plan", entries: [] } }),
    { jsonrpc: "2.0", id: "r1", method: "session/request_permission", params: { sessionId } },
    { jsonrpc: "2.0", id: "r2", method: "no/such/method", params: {} },
  ];
}

function dropHttpServers(message: AnyMessage): AnyMessage {
  if (!("method" in message) || message.method !== "session/new") return message;
  const params = message.params as { mcpServers: object[] };
  return { ...message, params: { ...params, mcpServers: params.mcpServers.filter((server) => !("type" in server)) } };
}

interface Taps {
  /** Changes incoming messages. */
  readonly in?: (message: AnyMessage) => AnyMessage;
  /** Called before a message is sent. */
  readonly out?: () => void;
}

function serve(app: AgentApp, taps: Taps = {}): void {
  // The reader has gone.
  process.stdout.on("error", () => process.exit(1));
  const { readable, writable } = ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  );
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => controller.enqueue(taps.in?.(message) ?? message),
  });
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      taps.out?.();
      controller.enqueue(message);
    },
  });
  outgoing.readable.pipeTo(writable).catch(() => {});
  app.connect({ readable: readable.pipeThrough(incoming), writable: outgoing.writable });
}

const [mode = "", ...given] = process.argv.slice(2);
const run = MODES[mode];
if (run === undefined) throw new Error(`There is no mode '${mode}', but: ${Object.keys(MODES).join(", ")}.`);
await run(...given);
