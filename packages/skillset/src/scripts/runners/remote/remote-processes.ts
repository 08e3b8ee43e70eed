import { setTimeout as pause } from "node:timers/promises";
import type { ScriptLimits, ScriptStopped } from "../../../core/script/script.ts";
import { quote } from "../../process/quote.ts";
import { command, type Machine } from "./remote-machine.ts";
import type { RemoteProcess, RemoteSession } from "./remote-session.ts";

/** One run on the other machine. */
export interface RemoteRun {
  /** A part of the environment of all its processes that no other process has. */
  readonly marker: string;
  readonly outputFolder: string;
  readonly limits: ScriptLimits;
}

/** Ends all processes of a run, also those that detached themselves, if the machine shows processes in `/proc`. */
export async function endProcesses(
  session: RemoteSession,
  { pageSize }: Machine,
  { marker }: RemoteRun,
  signal: AbortSignal,
): Promise<void> {
  if (pageSize === undefined) return;
  const kill = `for one in $found; do one=\${one%/environ}; kill -9 "\${one##*/}" 2>/dev/null; done`;
  const round = `found=$(${find(marker)}); test -z "$found" && break; ${kill}; sleep 0.05`;
  await command(session, `for try in ${TRIES}; do ${round}; done`, signal);
}

const TRIES = Array.from({ length: 100 }, (_, index) => index).join(" ");

/** The processes of a run, one file a line. The marker is an argument here, so this command does not find itself. */
function find(marker: string): string {
  return `grep -lsF -e ${quote(marker)} /proc/[0-9]*/environ`;
}

/**
 * Measures on the other machine what a run uses, and calls `stop` at a limit. Works with `spawn` where `/proc` shows
 * processes. The returned function ends the measuring.
 */
export function watchProcesses(
  session: RemoteSession,
  { pageSize }: Machine,
  { marker, outputFolder, limits }: RemoteRun,
  stop: (why: ScriptStopped["outcome"]) => void,
): () => Promise<void> {
  if (session.spawn === undefined || pageSize === undefined) return async () => {};
  const controller = new AbortController();
  const watching = (async () => {
    const watcher = await session.spawn?.({ command: measure(marker, outputFolder), abortSignal: controller.signal });
    if (watcher === undefined) return;
    const ended = Promise.resolve(watcher.wait()).catch(() => {});
    try {
      for await (const line of linesOf(watcher, controller.signal)) {
        const [files = 0, processes = 0, pages = 0] = line.split(" ").map(Number);
        if (processes > limits.processes + OWN_PROCESSES) stop("process-limit");
        if (pages * pageSize > limits.memory) stop("memory-limit");
        if (files > limits.files) stop("output-limit");
      }
    } finally {
      await Promise.race([
        Promise.resolve(watcher.kill()).then(() => ended),
        pause(END_TIME, undefined, { ref: false }),
      ]);
    }
  })().catch(() => {});
  return async () => {
    controller.abort();
    await Promise.race([watching, pause(END_TIME, undefined, { ref: false })]);
  };
}

/** The shell around the command, and `timeout`. */
const OWN_PROCESSES = 2;

const END_TIME = 1_000;

/** Prints bytes of files, processes with their threads, and pages of memory, again and again. */
function measure(marker: string, outputFolder: string): string {
  const files = `files=$(find ${quote(outputFolder)} -type f -exec wc -c {} + 2>/dev/null | tail -n 1)`;
  const process = [
    `one=\${one%/environ}`,
    'set -- "$one"/task/*',
    "count=$((count + $#))",
    'read -r _ size _ 2>/dev/null <"$one/statm" && pages=$((pages + size))',
  ].join("; ");
  const round = `count=0; pages=0; for one in $(${find(marker)}); do ${process}; done`;
  return `while sleep 0.2; do ${files}; ${round}; set -- $files 0; echo "$1 $count $pages"; done`;
}

async function* linesOf({ stdout }: RemoteProcess, signal: AbortSignal): AsyncGenerator<string> {
  const reader = stdout.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(-100);
      yield* lines;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
