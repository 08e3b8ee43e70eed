import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents";
import { bearer, type ConnectedClient, type Place, toAnswer } from "./connected-client.ts";

export async function connect(place: Place): Promise<ConnectedClient> {
  const server =
    place.transport === "stdio"
      ? new MCPServerStdio({ command: place.command, args: [...place.args] })
      : new MCPServerStreamableHttp({ url: place.url, requestInit: { headers: bearer(place.token) } });
  await server.connect();
  return {
    toolNames: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, input) => toAnswer(await server.callToolResult(name, { ...input })),
    close: () => server.close(),
  };
}
