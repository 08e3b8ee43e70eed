import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bearer, type ConnectedClient, type Place, toAnswer } from "./connected-client.ts";

/** In the protocol up to 2025-11-25, which starts with a handshake. */
export function connectLegacy(place: Place): Promise<ConnectedClient> {
  return connect(place, "legacy");
}

/** In the newest protocol that both sides support, which starts with a discovery request. */
export function connectAuto(place: Place): Promise<ConnectedClient> {
  return connect(place, "auto");
}

async function connect(place: Place, mode: "legacy" | "auto"): Promise<ConnectedClient> {
  const client = new Client({ name: "sdk-2", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(
    place.transport === "stdio"
      ? new StdioClientTransport({ command: place.command, args: [...place.args] })
      : new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: bearer(place.token) } }),
  );
  const spoken = client.getNegotiatedProtocolVersion();
  const wanted = mode === "auto" ? "2026-07-28" : "2025-11-25";
  if (spoken !== wanted) throw new Error(`Expected to speak ${wanted}, not ${spoken}.`);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => toAnswer(await client.callTool({ name, arguments: { ...input } })),
    close: () => client.close(),
  };
}
