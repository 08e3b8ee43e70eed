// Runs the chat in a separate process that reports its memory: `node bench/chat-serve.ts CONFIG`.
import { createLog } from "../apps/chat/server/observe/log.ts";
import { startChat } from "../apps/chat/server/start.ts";
import { heapUsage } from "./mcp-memory.ts";

const chat = await startChat({
  configFile: process.argv[2] ?? "",
  environment: process.env,
  log: createLog("error"),
});
process.send?.(chat.url);
process.on("message", () => process.send?.(heapUsage()));
process.on("disconnect", () => void chat.close().then(() => process.exit()));
