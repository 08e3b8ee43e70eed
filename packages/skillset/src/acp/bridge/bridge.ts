import { randomBytes, timingSafeEqual } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import type { McpServer as McpServerDeclaration } from "@agentclientprotocol/sdk";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { BridgeTransport } from "../../agents/agent-definition.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { serveHttp } from "../../mcp/transport/serve-http.ts";
import { BRIDGE_ARGUMENTS } from "./bridge-program.ts";
import type { ToolServer } from "./tool-server.ts";

/** A way for an agent to reach MCP servers in this process. */
export interface OpenBridge {
  /** The servers as declared in `session/new`. */
  readonly declarations: readonly McpServerDeclaration[];
  close(): Promise<void>;
}

export function openBridge(kind: BridgeTransport, servers: readonly ToolServer[]): Promise<OpenBridge> {
  return BRIDGES[kind](servers);
}

const BRIDGES: Readonly<Record<BridgeTransport, (servers: readonly ToolServer[]) => Promise<OpenBridge>>> = {
  http: openHttp,
  stdio: openStdio,
};

async function openHttp(servers: readonly ToolServer[]): Promise<OpenBridge> {
  const listeners = await Promise.all(servers.map((server) => serveHttp(server, { keepsAlive: false })));
  return {
    declarations: servers.map(({ name }, index) => {
      const { url, token } = listeners[index] as (typeof listeners)[number];
      return { type: "http", name, url, headers: [{ name: "Authorization", value: `Bearer ${token}` }] };
    }),
    close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
  };
}

/** The agent starts a small program that connects back to this process and selects a server by its token. */
async function openStdio(servers: readonly ToolServer[]): Promise<OpenBridge> {
  const byToken = servers.map((server) => ({ server, token: randomBytes(32).toString("base64url") }));
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    // An open session must not keep this program alive; during a run, the agent's process does.
    sockets.add(socket.unref());
    socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    readToken(socket, (token, rest) => {
      const found = byToken.find((one) => isSame(one.token, token));
      if (found === undefined) return void socket.destroy();
      const transport = new StdioServerTransport(rest, socket, { maxBufferSize: LIMITS.hard.request });
      // Close the socket when the server stops, so that the other side does not wait.
      found.server.connect(transport, () => socket.destroy());
    });
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  listener.unref();
  const { port } = listener.address() as AddressInfo;
  return {
    declarations: byToken.map(({ server: { name }, token }) => ({
      name,
      command: process.execPath,
      args: [...BRIDGE_ARGUMENTS],
      // Not in the arguments, which every user on the machine can read.
      env: [
        { name: "SKILLSET_BRIDGE_PORT", value: String(port) },
        { name: "SKILLSET_BRIDGE_TOKEN", value: token },
      ],
    })),
    close: async () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Reads the first line as the token and passes on the rest. A client that sends no line in time is disconnected. */
function readToken(socket: Socket, then: (token: string, rest: Readable) => void): void {
  const timer = setTimeout(() => socket.destroy(), LIMITS.agent.bridgeTokenTime).unref();
  let start = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    start = Buffer.concat([start, chunk]);
    const end = start.indexOf("\n");
    if (end === -1 && start.length < 256) return;
    clearTimeout(timer);
    socket.off("data", take);
    if (end === -1) return void socket.destroy();
    // Buffers data until a reader is attached.
    const rest = new PassThrough();
    socket.once("close", () => rest.end());
    rest.write(start.subarray(end + 1));
    socket.once("close", () => rest.destroy());
    then(start.subarray(0, end).toString(), socket.pipe(rest));
  };
  socket.on("data", take);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
