import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { HELP, parseCommandLine } from "./command-line.ts";
import { defaultSettings, hasSettings, readSettings, type Settings } from "./config/settings.ts";
import { StartError } from "./config/start-error.ts";
import { VERSION } from "./config/version.ts";
import { createLog, logLevel } from "./observe/log.ts";
import { addressLine, type RunningChat, startChat } from "./start.ts";

/** Either the folder whose skills are used, or a settings file, whose project has them. */
export type ProgramOptions = { readonly folder: string } | { readonly settingsFile: string };

/** Runs the chat until a signal ends it, or prints what the command line asks for. */
export async function runProgram(given: readonly string[], options: ProgramOptions): Promise<void> {
  try {
    const command = parseCommandLine(given);
    if (command.kind === "print") {
      const texts = { help: () => HELP, version: () => `${VERSION}\n`, settings: () => defaultSettings().text };
      process.stdout.write(texts[command.what]());
      return;
    }
    // Chats are private: files that this program writes are not readable by other users.
    process.umask(0o077);
    const { CONFIG, LOG_LEVEL } = process.env;
    const chat = await startChat({
      settings: chooseSettings(command.config ?? CONFIG, options),
      overrides: { host: command.host, ...("folder" in options && { root: options.folder }) },
      environment: { ...process.env, ...command.environment, ...("folder" in options && { INIT_CWD: options.folder }) },
      log: createLog(logLevel(LOG_LEVEL, process.stderr.isTTY === true)),
      onProgress: note,
    });
    report(chat);
    endWithSignals(chat);
  } catch (error) {
    fail(error);
  }
}

function chooseSettings(named: string | undefined, options: ProgramOptions): Settings {
  if (named) return readSettings(resolve(named));
  if ("settingsFile" in options) return readSettings(options.settingsFile);
  // Settings name servers that get messages and API keys. Somebody else may have written the files of the folder.
  if (hasSettings(options.folder)) {
    note("The settings in config.toml are not used. To use them, start with '--config config.toml'.");
  }
  return defaultSettings();
}

function report({ url, place, warnings, hasSkills, newSkillFolder, lockedSkills, freshToken }: RunningChat): void {
  for (const warning of warnings) note(warning);
  if (!hasSkills) note("Skills are disabled. To enable them, set 'app.skills.enabled' to true in the settings.");
  if (newSkillFolder !== undefined) {
    const inHome = relative(homedir(), newSkillFolder);
    const folder = inHome.startsWith("..") ? relative(process.cwd(), newSkillFolder) || "." : `~/${inHome}`;
    note(`No skills found. To create one, run 'npx skillset new my-skill --dir ${folder}'. The chat loads it at once.`);
  }
  if (lockedSkills > 0) {
    const what = lockedSkills === 1 ? "1 skill of this project is" : `${lockedSkills} skills of this project are`;
    note(`${what} locked. Review them, then run 'npx skillset trust'. The chat loads them at once.`);
  }
  note(`Chats are stored in ${place}.`);
  if (freshToken !== undefined) note(`Admin token (shown only once): ${freshToken}`);
  process.stdout.write(`${addressLine(url, process.stdout.isTTY === true)}\n`);
}

function endWithSignals(chat: RunningChat): void {
  let isClosing = false;
  const end = (): void => {
    // A second signal ends the process at once.
    if (isClosing) process.exit(1);
    isClosing = true;
    note("Shutting down; running answers have ten seconds to finish…");
    chat.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  // npm does not forward every signal. Without this check, the chat would keep running after npm exits.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== parent && !isClosing && end(), 1_000).unref();
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints the message of a known error, and the stack of any other. */
function fail(error: unknown): never {
  const isKnown = error instanceof StartError;
  note(isKnown ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
