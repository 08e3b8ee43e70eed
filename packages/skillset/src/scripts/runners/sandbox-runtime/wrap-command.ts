import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { untilAborted } from "../../../core/base/until-aborted.ts";
import { endWithProgram } from "../../../node/files/end-with-program.ts";
import { kill } from "../../process/process-tree.ts";
import type { FileRules } from "./file-rules.ts";
import { WRAP_PROGRAM } from "./wrap-program.build.ts";

export const PACKAGE = "@anthropic-ai/sandbox-runtime";

/** The installed package. */
export interface RuntimePackage {
  /** The address of its main module. */
  readonly url: string;
  readonly folder: string;
}

/** Finds the package. Undefined if it is not installed. */
export function findRuntimePackage(): RuntimePackage | undefined {
  try {
    const main = createRequire(import.meta.url).resolve(PACKAGE);
    return { url: pathToFileURL(main).href, folder: dirname(dirname(main)) };
  } catch {
    return undefined;
  }
}

/** A line for a shell that runs a command in the sandbox. */
export interface WrappedCommand {
  readonly line: string;
  /** Ends the proxy of the command, after the command. */
  close(): Promise<void>;
}

export interface WrapJob {
  readonly runtime: RuntimePackage;
  /** The Node that runs the package. */
  readonly node: string;
  readonly command: string;
  readonly files: FileRules;
  readonly allowedDomains: readonly string[];
  /** A private folder that no script can write to. */
  readonly folder: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Asks the sandbox runtime, in a separate process, to wrap a command. Throws its error, and the reason of the signal. */
export async function wrapCommand(job: WrapJob): Promise<WrappedCommand> {
  const { runtime, node, command, files, allowedDomains, folder, path, signal } = job;
  const child = spawn(node, ["--input-type=module", "--eval", WRAP_PROGRAM, "--", runtime.url], {
    cwd: folder,
    env: { PATH: path, HOME: folder, TMPDIR: folder },
    stdio: ["pipe", "pipe", "pipe"],
    // Its proxy has processes too, which are then in its group.
    detached: true,
  });
  const killAll = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) kill(-child.pid);
  };
  const forget = endWithProgram(killAll);
  const close = async (): Promise<void> => {
    child.stdin.end();
    const exit = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    await Promise.race([exit, pause(CLOSE_TIME, undefined, { ref: false })]);
    killAll();
    forget();
  };
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  child.stdin.on("error", () => {});
  try {
    await once(child, "spawn");
    const config = { network: { allowedDomains, deniedDomains: [] }, filesystem: files };
    child.stdin.write(`${JSON.stringify({ command, config })}\n`);
    const answer = await untilAborted(
      AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIME)]),
      firstLine(child.stdout),
    );
    const { line, error = errors.trim() || "it does not answer" } = JSON.parse(answer ?? "{}") as Answer;
    if (line === undefined) throw new Error(error);
    return { line, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Answer {
  readonly line?: string;
  readonly error?: string;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

const ANSWER_TIME = 30_000;
const CLOSE_TIME = 3_000;
