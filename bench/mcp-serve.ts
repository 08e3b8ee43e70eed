// Runs a server in a separate process: `node bench/mcp-serve.ts WAY stdio|http FOLDER`.
import { heapUsage } from "./mcp-memory.ts";
import { createServing, type Way } from "./mcp-servers.ts";

const [way, transport, folder = ""] = process.argv.slice(2);
const serving = await createServing(way as Way, folder);
if (transport === "stdio") await serving.stdio();
else {
  process.send?.(await serving.http());
  process.on("message", () => process.send?.(heapUsage()));
  process.on("disconnect", () => process.exit());
}
