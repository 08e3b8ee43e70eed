// Runs the chat for bench/chat-load.ts: `node bench/chat-serve.ts CONFIG`.
import { createLog } from "../apps/chat/server/observe/log.ts";
import { startChat } from "../apps/chat/server/start.ts";
import { reportProcess } from "./report-process.ts";

const chat = await startChat({
  configFile: process.argv[2] ?? "",
  environment: process.env,
  log: createLog("error"),
});
reportProcess(chat.url, () => chat.close());
