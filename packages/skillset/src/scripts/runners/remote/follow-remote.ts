import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ScriptEnd, ScriptJob, ScriptStopped } from "../../../core/script/script.ts";
import { CapturedStream } from "../../process/captured-stream.ts";
import { LONGEST_TIMER } from "../../process/run-process.ts";
import type { Machine } from "./remote-machine.ts";
import { endProcesses, type RemoteRun, watchProcesses } from "./remote-processes.ts";
import type { RemoteCommand, RemoteProcess, RemoteSession } from "./remote-session.ts";

type Stopped = ScriptStopped["outcome"];

interface Followed extends RemoteRun, Pick<ScriptJob, "signal" | "onOutput"> {
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command in the result. */
  readonly shownCommand: readonly string[];
}

/** Runs a command line to its end, at most to a limit. Rejects if the session fails. */
export async function followRemote(
  session: RemoteSession,
  machine: Machine,
  { line, env, shownCommand, signal, onOutput, ...run }: Followed,
): Promise<ScriptEnd> {
  const { limits } = run;
  if (signal.aborted) return { outcome: "aborted", command: shownCommand, stdout: "", stderr: "" };
  const controller = new AbortController();
  const stopped = Promise.withResolvers<void>();
  let outcome: Stopped | undefined;
  let starting: Promise<RemoteProcess> | undefined;
  const stop = (why: Stopped): void => {
    outcome ??= why;
    controller.abort();
    // Also if it starts only now.
    starting?.then((started) => started.kill()).catch(() => {});
    stopped.resolve();
  };
  const abort = (): void => stop("aborted");
  signal.addEventListener("abort", abort);
  const timer = setTimeout(() => stop("timed-out"), Math.min(limits.time, LONGEST_TIMER));
  const unwatch = watchProcesses(session, machine, run, stop);
  const captured: CapturedStream[] = [];
  const ran = (): { command: readonly string[]; stdout: string; stderr: string } => {
    const [stdout = "", stderr = ""] = captured.map((stream) => stream.end());
    return { command: shownCommand, stdout, stderr };
  };
  /** A session that does not stop must not hold the caller. */
  const unlessStuck = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
    Promise.race([work, stopped.promise.then(() => pause(END_TIME, undefined, { ref: false }))]);
  try {
    starting = start(session, { command: line, env: { ...env }, abortSignal: controller.signal });
    const started = await unlessStuck(starting);
    const { stdout, stderr } = started ?? {};
    if (stdout !== undefined) captured.push(capture(stdout, "stdout", { limit: limits.output, onOutput, stop }));
    if (stderr !== undefined) captured.push(capture(stderr, "stderr", { limit: limits.output, onOutput, stop }));
    const end = await unlessStuck(Promise.resolve(started?.wait()));
    clearTimeout(timer);
    await unwatch();
    await endProcesses(session, machine, run, AbortSignal.timeout(CLEAN_TIME));
    // What the script wrote may still be on its way.
    await Promise.race([Promise.all(captured.map(({ ended }) => ended)), pause(DRAIN_TIME, undefined, { ref: false })]);
    if (outcome !== undefined) return { outcome, ...ran() };
    if (!Number.isInteger(end?.exitCode)) throw new Error("The session returned no exit code.");
    return { outcome: "exited", exitCode: end?.exitCode as number, ...ran() };
  } catch (error) {
    await unwatch();
    await endProcesses(session, machine, run, AbortSignal.timeout(CLEAN_TIME)).catch(() => {});
    // A session rejects when it is aborted.
    if (outcome !== undefined) return { outcome, ...ran() };
    ran();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** How long a session may take to stop a command. */
const END_TIME = 3_000;

/** How long it may take to end processes that were left behind. */
const CLEAN_TIME = 10_000;

const DRAIN_TIME = 1_000;

function capture(
  output: ReadableStream<Uint8Array>,
  stream: "stdout" | "stderr",
  { limit, onOutput, stop }: Pick<ScriptJob, "onOutput"> & { limit: number; stop(why: Stopped): void },
): CapturedStream {
  return new CapturedStream(Readable.fromWeb(output as Parameters<typeof Readable.fromWeb>[0]), {
    limit,
    onText: (text) => onOutput({ stream, text }),
    onLimit: () => stop("output-limit"),
  });
}

async function start(session: RemoteSession, options: RemoteCommand): Promise<RemoteProcess> {
  if (session.spawn !== undefined) return session.spawn(options);
  const done = Promise.resolve(session.run(options));
  const part = (stream: "stdout" | "stderr"): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: async (controller) => {
        const text = await done.then((result) => result[stream]).catch(() => "");
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
  return { stdout: part("stdout"), stderr: part("stderr"), wait: () => done, kill: async () => {} };
}
