import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { bearer, type ConnectedClient, type Place, toAnswer } from "./connected-client.ts";

export async function connect(place: Place): Promise<ConnectedClient> {
  const client = new Client({ name: "sdk-1", version: "1.0.0" });
  const transport =
    place.transport === "stdio"
      ? new StdioClientTransport({ command: place.command, args: [...place.args] })
      : new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: bearer(place.token) } });
  await client.connect(transport as Transport);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => toAnswer(await client.callTool({ name, arguments: { ...input } })),
    close: () => client.close(),
  };
}
