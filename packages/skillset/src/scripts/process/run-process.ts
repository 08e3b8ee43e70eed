import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { ScriptEnd, ScriptJob } from "../../core/script/script.ts";

/** One program to run, with the limits of a script. */
export interface ProcessJob extends Pick<ScriptJob, "stdin" | "limits" | "signal" | "onOutput"> {
  readonly command: readonly [program: string, ...args: string[]];
  /** The command in the result, if it differs. */
  readonly shownCommand?: readonly string[];
  readonly cwd: string;
  /** All variables of the program. It inherits none. */
  readonly env: Readonly<Record<string, string>>;
  /** The user and group that it runs as. Only root can set them. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Runs a program to its end, at most to a limit. Every process that it started is dead when the promise settles. */
export async function runProcess(job: ProcessJob): Promise<ScriptEnd> {
  const { command, cwd, env, limits, signal, onOutput, stdin = "" } = job;
  const [program, ...args] = command;
  const shownCommand = job.shownCommand ?? command;
  return new Promise((resolve) => {
    let outcome: "timed-out" | "output-limit" | "aborted" | undefined;
    const text = { stdout: "", stderr: "" };
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const stop = (why: NonNullable<typeof outcome>): void => {
      outcome ??= why;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    const timer = setTimeout(() => stop("timed-out"), limits.time);
    const abort = (): void => stop("aborted");
    signal.addEventListener("abort", abort);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (chunk: string) => {
        text[stream] += chunk;
        onOutput({ stream, text: chunk });
        if (text[stream].length > limits.output) stop("output-limit");
      });
    }
    child.stdin.on("error", () => {}).end(stdin);
    child.on("error", (error) => resolve({ outcome: "refused", reason: error.message }));
    child.on("exit", (code, name) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      const ran = { command: shownCommand, ...text };
      if (outcome !== undefined) resolve({ outcome, ...ran });
      else resolve({ outcome: "exited", exitCode: code ?? 128 + constants.signals[name ?? "SIGKILL"], ...ran });
    });
  });
}
