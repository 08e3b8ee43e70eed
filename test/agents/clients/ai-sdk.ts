import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { bearer, type ConnectedClient, type Place, toAnswer } from "./connected-client.ts";

export async function connect(place: Place): Promise<ConnectedClient> {
  const client = await createMCPClient({
    transport:
      place.transport === "stdio"
        ? new StdioMCPTransport({ command: place.command, args: [...place.args] })
        : { type: "http", url: place.url, headers: bearer(place.token) },
  });
  const tools = await client.tools();
  return {
    toolNames: async () => Object.keys(tools),
    call: async (name, input) =>
      toAnswer(await tools[name]?.execute(input, { toolCallId: "1", messages: [], context: {} })),
    close: () => client.close(),
  };
}
