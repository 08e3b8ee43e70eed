import { fileURLToPath } from "node:url";
import { StartError } from "./config/start-error.ts";
import { createLog, logLevel } from "./observe/log.ts";
import { addressLine, startChat } from "./start.ts";

const { CONFIG, LOG_LEVEL } = process.env;
const isTerminal = process.stderr.isTTY === true;

// Chats are private: no file that this program writes is for other users.
process.umask(0o077);

try {
  const chat = await startChat({
    configFile: CONFIG || fileURLToPath(new URL("../config.toml", import.meta.url)),
    environment: process.env,
    log: createLog(logLevel(LOG_LEVEL, isTerminal)),
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  for (const warning of chat.warnings) process.stderr.write(`${warning}\n`);
  if (!chat.hasSkills) process.stderr.write("Skills are off: 'app.skills.enabled' in the settings is not true.\n");
  if (chat.freshToken !== undefined) {
    process.stderr.write(`The admin token, which is shown this once: ${chat.freshToken}\n`);
  }
  process.stdout.write(`${addressLine(chat.url, process.stdout.isTTY === true)}\n`);
  let isClosing = false;
  const end = (): void => {
    // Who asks twice does not want to wait.
    if (isClosing) process.exit(1);
    isClosing = true;
    process.stderr.write("Ending; running answers have ten seconds…\n");
    chat.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
} catch (error) {
  fail(error);
}

/** What is known is mended by whoever reads one sentence; everything else needs the stack. */
function fail(error: unknown): never {
  const isKnown = error instanceof StartError;
  process.stderr.write(
    `${isKnown ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  );
  process.exit(1);
}
