import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { heapUsage, type Memory } from "./mcp-memory.ts";
import { createServing, type Way } from "./mcp-servers.ts";
import { lastLine } from "./mcp-skills.ts";

export const TRANSPORTS = ["in memory", "stdio", "HTTP"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** The handshake of 2025, or none, as of 2026. */
export const ERAS = { 2025: "legacy", 2026: "auto" } as const;
export type Era = keyof typeof ERAS;

/** A server to which clients can connect. */
export interface RunningServer {
  client(era: Era): Promise<Client>;
  memory(): Promise<Memory>;
  close(): Promise<void>;
}

const script = fileURLToPath(new URL("./mcp-serve.ts", import.meta.url));

export async function startServer(transport: TransportName, way: Way, folder: string): Promise<RunningServer> {
  const clients: Client[] = [];
  const closeClients = async (): Promise<void> => void (await Promise.all(clients.map((client) => client.close())));
  const connect = async (era: Era, to: Parameters<Client["connect"]>[0]): Promise<Client> => {
    const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: ERAS[era] } });
    clients.push(client);
    await client.connect(to);
    return client;
  };
  if (transport === "HTTP") {
    const child = fork(script, [way, "http", folder]);
    const { url, token } = (await nextMessage(child)) as { url: string; token: string };
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    return {
      client: (era) => connect(era, new StreamableHTTPClientTransport(new URL(url), { requestInit })),
      memory: async () => {
        child.send("memory");
        return (await nextMessage(child)) as Memory;
      },
      close: async () => {
        await closeClients();
        child.disconnect();
      },
    };
  }
  if (transport === "stdio") {
    const command = { command: process.execPath, args: [script, way, "stdio", folder] };
    return {
      client: (era) => connect(era, new StdioClientTransport(command)),
      memory: async () => heapUsage(),
      close: closeClients,
    };
  }
  const serving = await createServing(way, folder);
  return {
    client: async (era) => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await serving.connect(far);
      return connect(era, near);
    },
    memory: async () => heapUsage(),
    close: closeClients,
  };
}

/** Returns whether the answer is for the requested skill. */
export async function activate(client: Client, name: string): Promise<boolean> {
  const { content } = await client.callTool({ name: "activate_skill", arguments: { name } });
  const [first] = content;
  return first?.type === "text" && first.text.includes(lastLine(name));
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}
