import { randomBytes } from "node:crypto";
import { abortWith } from "../../../core/base/abort-with.ts";
import { SkillError } from "../../../core/base/errors.ts";
import { messageOf } from "../../../core/base/message-of.ts";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "../../../core/script/script.ts";
import { checkOptions, type OptionTable } from "../../../core/text/check-options.ts";
import { cannotRunWithout } from "../../process/cannot-run.ts";
import { missingInterpreter } from "../../process/find-interpreter.ts";
import { quote } from "../../process/quote.ts";
import { fillArguments, scriptEnvironment, scriptLanguage } from "../../process/script-command.ts";
import { checkRemote } from "./check-remote.ts";
import { commandLine } from "./command-line.ts";
import { fetchFiles } from "./fetch-files.ts";
import { followRemote } from "./follow-remote.ts";
import { RemoteCopies } from "./remote-copies.ts";
import { command, type Machine, openMachine } from "./remote-machine.ts";
import type { RemoteSession } from "./remote-session.ts";
import { readFolder, sendFile, sendFiles } from "./send-files.ts";

export interface RemoteOptions {
  /** What contains scripts on that machine, for results: the level is `remote:` and this name, else `remote`. */
  readonly name?: string;
  /**
   * A folder on that machine where a private folder can be created.
   * @default "/tmp"
   */
  readonly folder?: string;
}

/** Runs scripts on another machine. */
export interface RemoteRunner extends ScriptRunner {
  /** Removes the copies of skills from the other machine. */
  close(): Promise<void>;
}

const OPTIONS: OptionTable<RemoteOptions> = { name: true, folder: true };

/**
 * Runs scripts on another machine, through a session such as those of the AI SDK (`Experimental_SandboxSession`). What
 * contains a script is that machine. Scripts of one session can affect each other: use one session for one conversation.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { type RemoteSession, remote } from "skillset/scripts";
 *
 * declare const session: RemoteSession; // of Vercel, E2B, Daytona or just-bash
 * const runner = remote(session, { name: "e2b" });
 * const skills = await createSkillset(["./skills"], { scripts: { runner, consent: () => "once" } });
 * ```
 */
export function remote(session: RemoteSession, options: RemoteOptions = {}): RemoteRunner {
  checkOptions("remote()", options, OPTIONS);
  const { name, folder = "/tmp" } = options;
  if (name !== undefined && !/^[\w.-]+$/.test(name))
    throw new SkillError("option-invalid", "'name' may have letters, digits, '.', '_' and '-'.");
  if (!folder.startsWith("/")) throw new SkillError("option-invalid", "'folder' must be an absolute path.");
  for (const method of ["run", "readFile", "writeBinaryFile"] as const)
    if (typeof session?.[method] !== "function")
      throw new SkillError("option-invalid", `The session has no method '${method}'.`);

  const copies = new RemoteCopies(session);
  let opened: Promise<Machine> | undefined;
  const open = (): Promise<Machine> => {
    opened ??= openMachine(session, folder, AbortSignal.timeout(TRANSFER_TIME)).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const run = async (job: ScriptJob): Promise<ScriptEnd> => {
    const { script, args, signal } = job;
    const aborted = { outcome: "aborted", command: [script, ...args], stdout: "", stderr: "" } as const;
    if (signal.aborted) return aborted;
    const reason = whyRefused(job);
    if (reason !== undefined) return { outcome: "refused", reason };
    try {
      return await runOn(session, await open(), copies, job);
    } catch {
      return signal.aborted ? aborted : { outcome: "refused", reason: SESSION_FAILED };
    }
  };
  let checked: Promise<string | undefined> | undefined;
  const check = async (): Promise<string | undefined> => {
    try {
      await open();
      return await checkRemote(run);
    } catch (error) {
      return `the session failed: ${messageOf(error)}`;
    }
  };
  return {
    level: name === undefined ? "remote" : `remote:${name}`,
    check: async () => {
      checked ??= check();
      const failure = await checked;
      if (failure !== undefined) checked = undefined;
      return failure;
    },
    cannotRun: cannotRunWithout(async (language) => {
      const machine = await open().catch(() => undefined);
      // The run says that the connection failed.
      return machine === undefined ? language : machine.interpreter(language);
    }),
    run,
    close: async () => {
      const machine = await opened;
      opened = undefined;
      checked = undefined;
      copies.forget();
      if (machine !== undefined) await remove(session, machine.base);
    },
  };
}

/** How long it may take to send or fetch files. */
const TRANSFER_TIME = 120_000;

/** Without details of the session: a model may read it. */
const SESSION_FAILED = "The connection to the machine that runs scripts failed. Try again.";

function whyRefused({ script, args, env = {}, packagesFolder }: ScriptJob): string | undefined {
  const name = Object.keys(env).find((one) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(one));
  if (name !== undefined)
    return `The variable ${JSON.stringify(name.slice(0, 100))} has a name that shells do not accept.`;
  if ([script, ...args, ...Object.values(env)].some((text) => text.includes("\0")))
    return "An argument or a variable contains a NUL character.";
  if (packagesFolder !== undefined) return "Packages that were prepared on this machine cannot be used on another one.";
  return undefined;
}

async function runOn(
  session: RemoteSession,
  machine: Machine,
  copies: RemoteCopies,
  job: ScriptJob,
): Promise<ScriptEnd> {
  const { language, reason = "" } = scriptLanguage(job);
  if (language === undefined) return { outcome: "refused", reason };
  const interpreter = machine.interpreter(language);
  if (interpreter === undefined) return { outcome: "refused", reason: missingInterpreter(language) };
  const { script, args, stdin = "", limits, signal, onOutput, outputFolder } = job;
  const controller = new AbortController();
  const detach = abortWith(signal, controller);
  const timer = setTimeout(() => controller.abort(), TRANSFER_TIME);
  const sending = controller.signal;
  // It also identifies the processes of this run.
  const marker = randomBytes(16).toString("hex");
  const place = `${machine.base}/run-${marker}`;
  try {
    const skill = await copies.of(job.skillFolder, machine, sending);
    const folders = { skill, output: `${place}/output`, temporary: `${place}/tmp` };
    await command(session, `umask 077; mkdir -p ${quote(folders.output, folders.temporary)}`, sending);
    const input = `${place}/stdin`;
    await sendFile(session, { path: input, content: Buffer.from(stdin) }, sending);
    await sendFiles(session, readFolder(outputFolder), folders.output, sending);
    const shownCommand = [...interpreter, `${skill}/${script}`, ...fillArguments(args, folders)];
    const env = scriptEnvironment(machine.path, folders, job.env);
    const isWatched = session.spawn !== undefined && machine.pageSize !== undefined;
    let line = commandLine(shownCommand, {
      machine,
      skill,
      input,
      limits,
      language,
      isWatched,
      names: Object.keys(env),
    });
    if (line.includes("\n") || Buffer.byteLength(line) > LONGEST_LINE) {
      await sendFile(session, { path: `${place}/line`, content: Buffer.from(line) }, sending);
      line = `. ${quote(`${place}/line`)}`;
    }
    clearTimeout(timer);
    const run = { marker, limits, outputFolder: folders.output };
    const end = await followRemote(session, machine, { ...run, line, env, shownCommand, signal, onOutput });
    const places = { from: folders.output, to: outputFolder, maxBytes: limits.files };
    const { isTooMuch } = await fetchFiles(session, machine, places, AbortSignal.timeout(TRANSFER_TIME));
    if (!isTooMuch || end.outcome !== "exited") return end;
    const { exitCode: _, ...rest } = end;
    return { ...rest, outcome: "output-limit" };
  } finally {
    clearTimeout(timer);
    detach();
    await remove(session, place);
  }
}

/**
 * Systems limit the length of one argument, and sessions pass the line as one. Some sessions also remove spaces after line
 * breaks, even in quotes. Such a line is sent as a file.
 */
const LONGEST_LINE = 60_000;

async function remove(session: RemoteSession, folder: string): Promise<void> {
  const line = `chmod -R u+w ${quote(folder)} 2>/dev/null; rm -rf ${quote(folder)}`;
  await command(session, line, AbortSignal.timeout(10_000)).catch(() => {});
}
