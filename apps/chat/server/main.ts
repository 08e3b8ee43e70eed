import { fileURLToPath } from "node:url";
import { StartError } from "./config/start-error.ts";
import { createLog, logLevel } from "./observe/log.ts";
import { addressLine, startChat } from "./start.ts";

const { CONFIG, LOG_LEVEL } = process.env;
const isTerminal = process.stderr.isTTY === true;

// Chats are private: files that this program writes are not readable by other users.
process.umask(0o077);

try {
  const chat = await startChat({
    configFile: CONFIG || fileURLToPath(new URL("../config.toml", import.meta.url)),
    environment: process.env,
    log: createLog(logLevel(LOG_LEVEL, isTerminal)),
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  for (const warning of chat.warnings) process.stderr.write(`${warning}\n`);
  if (!chat.hasSkills)
    process.stderr.write("Skills are disabled. To enable them, set 'app.skills.enabled' to true in the settings.\n");
  if (chat.freshToken !== undefined) {
    process.stderr.write(`Admin token (shown only once): ${chat.freshToken}\n`);
  }
  process.stdout.write(`${addressLine(chat.url, process.stdout.isTTY === true)}\n`);
  let isClosing = false;
  const end = (): void => {
    // A second signal ends the process at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    process.stderr.write("Shutting down; running answers have ten seconds to finish…\n");
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

/** Prints the message of a known error, and the stack of any other. */
function fail(error: unknown): never {
  const isKnown = error instanceof StartError;
  process.stderr.write(
    `${isKnown ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  );
  process.exit(1);
}
