// Runs the chat for bench/chat-load.ts: `node bench/chat-serve.ts CONFIG`.
import { readSettings } from "../apps/chat/server/config/settings.ts";
import { createLog } from "../apps/chat/server/observe/log.ts";
import { startChat } from "../apps/chat/server/start.ts";
import { reportProcess } from "./report-process.ts";

const chat = await startChat({
  settings: readSettings(process.argv[2] ?? ""),
  environment: process.env,
  log: createLog("error"),
});
reportProcess(chat.url, () => chat.close());
