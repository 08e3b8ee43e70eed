import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { basename } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ScriptEnd, ScriptJob, ScriptStopped } from "../../core/script/script.ts";
import { endWithProgram } from "../../node/files/end-with-program.ts";
import { CapturedStream } from "./captured-stream.ts";
import { withoutInherited } from "./inherited-files.ts";
import { kill, ProcessTree } from "./process-tree.ts";
import { openStreams, type ScriptStreams } from "./script-streams.ts";
import { watchUse } from "./watch-use.ts";

/** One program to run, with the limits of a script. */
export interface ProcessJob extends Pick<ScriptJob, "stdin" | "limits" | "signal" | "onOutput"> {
  /** The program, found on the `PATH` of `env` or by its path, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The command in the result, if it differs. */
  readonly shownCommand?: readonly string[];
  readonly cwd: string;
  /** All variables of the program. It inherits none. */
  readonly env: Readonly<Record<string, string>>;
  /** A part of the environment that no other process has. It identifies processes that detached themselves (Linux). */
  readonly marker?: string;
  /** Whether the system ends all its processes with the program, so that none must be searched for afterwards. */
  readonly endsTogether?: boolean;
  /** The user and group that it runs as. Only root can set them. */
  readonly uid?: number;
  readonly gid?: number;
  /** A folder whose size is limited by `limits.files`. A function if it is known only once the program has started. */
  readonly outputFolder?: string | (() => string | undefined);
  /** Whether the place for files is full. Asked often. */
  readonly isFull?: () => boolean;
  /** How many files that folder may have. */
  readonly mostFiles?: number;
  /** Called with what the program writes to file descriptor 3, which is closed without this function. */
  onStatus?(text: string): void;
  /**
   * Called when the program writes to file descriptor 4, which is closed without this function. Once the promise is
   * fulfilled, the program reads a line there. It is stopped if the promise rejects.
   */
  onReady?(): Promise<void>;
}

/**
 * Runs a program to its end, at most to a limit. Every process that it started is dead when the promise settles. Never
 * rejects: a program that cannot be started is refused.
 */
export async function runProcess(job: ProcessJob): Promise<ScriptEnd> {
  const shownCommand = job.shownCommand ?? job.command;
  if (job.signal.aborted) return { outcome: "aborted", command: shownCommand, stdout: "", stderr: "" };
  const streams = await openStreams(job.stdin ?? "");
  try {
    const child = start(job, streams);
    await new Promise<void>((resolve, reject) => void child.once("spawn", resolve).once("error", reject));
    streams?.release();
    return await follow(child, job, shownCommand, streams);
  } catch (error) {
    streams?.release();
    for (const stream of [streams?.stdout, streams?.stderr]) stream?.destroy();
    return { outcome: "refused", reason: whyNotStarted(job.command[0], error as NodeJS.ErrnoException) };
  }
}

function start(
  { command, cwd, env, uid, gid, onStatus, onReady }: ProcessJob,
  streams: ScriptStreams | undefined,
): ChildProcess {
  const [program, ...args] = command;
  const standard = streams?.stdio ?? (["pipe", "pipe", "pipe"] as const);
  return spawn(program, args, {
    cwd,
    env,
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    // A separate session: no terminal, and a process group that can be killed.
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: withoutInherited([
      ...standard,
      onStatus === undefined ? "ignore" : "pipe",
      ...(onReady === undefined ? [] : ["pipe" as const]),
    ]),
  });
}

/** Follows a started program to its end. */
async function follow(
  child: ChildProcess,
  job: ProcessJob,
  command: readonly string[],
  opened: ScriptStreams | undefined,
): Promise<ScriptEnd> {
  const { limits, signal, onOutput, stdin = "" } = job;
  const tree = new ProcessTree(child.pid as number, job.marker);
  const killGroup = (): void => {
    // After the exit, another process may have the pid.
    if (child.exitCode === null && child.signalCode === null) kill(-(child.pid as number));
    child.kill("SIGKILL");
  };
  const forget = endWithProgram(killGroup);
  const exit = new Promise<number>((resolve) => {
    child.once("exit", (code, name) => resolve(code ?? 128 + constants.signals[name ?? "SIGKILL"]));
  });
  let outcome: ScriptStopped["outcome"] | undefined;
  const stop = (why: ScriptStopped["outcome"]): void => {
    outcome ??= why;
    killGroup();
    void tree.end();
  };
  const capture = (stream: "stdout" | "stderr"): CapturedStream =>
    new CapturedStream(opened?.[stream] ?? (child[stream] as Readable), {
      limit: limits.output,
      onText: (text) => onOutput({ stream, text }),
      onLimit: () => stop("output-limit"),
    });
  const streams = [capture("stdout"), capture("stderr")] as const;
  const status = child.stdio[3] as Readable | null | undefined;
  status?.on("error", () => {}).on("data", (bytes: Buffer) => job.onStatus?.(bytes.toString("latin1")));
  const statusEnded = status && new Promise((resolve) => void status.once("close", resolve));
  const gate = child.stdio[4] as Duplex | null | undefined;
  const letIn = async (): Promise<void> => {
    try {
      await job.onReady?.();
      gate?.end("\n");
    } catch {
      stop("aborted");
    }
  };
  let letting: Promise<void> | undefined;
  gate
    ?.on("error", () => {})
    .once("data", () => {
      letting = letIn();
    });
  child.on("error", () => {});
  child.stdin?.on("error", () => {}).end(stdin);

  const timer = setTimeout(() => stop("timed-out"), Math.min(limits.time, LONGEST_TIMER));
  const abort = (): void => stop("aborted");
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const use = watchUse(tree, job, stop);
  const exitCode = await exit;
  clearTimeout(timer);
  await letting;
  gate?.destroy();
  signal.removeEventListener("abort", abort);
  await tree.end(await use.close());
  forget();
  // The pipes close with the last process. One that could not be found may still hold them.
  const ended = Promise.all([...streams.map((stream) => stream.ended), statusEnded]);
  await Promise.race([ended, pause(DRAIN_TIME, undefined, { ref: false })]);
  status?.destroy();
  child.stdin?.destroy();
  const [stdout, stderr] = streams.map((stream) => stream.end()) as [string, string];
  const ran = { command, stdout, stderr };
  return outcome === undefined ? { outcome: "exited", exitCode, ...ran } : { outcome, ...ran };
}

/** A timer with a longer time ends at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

const DRAIN_TIME = 250;

/** Without paths: a model may read it. */
function whyNotStarted(program: string, { code = "", message }: NodeJS.ErrnoException): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "it is not installed",
    EACCES: "permission denied",
    E2BIG: "the arguments are too long",
    EAGAIN: "there are too many processes",
    ERR_INVALID_ARG_VALUE: "an argument contains a NUL character",
  };
  return `The program '${basename(program)}' cannot be started: ${reasons[code] ?? (code || message)}.`;
}
