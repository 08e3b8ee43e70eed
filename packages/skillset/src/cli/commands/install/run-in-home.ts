import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { SkillError } from "../../../core/base/errors.ts";
import { END_SIGNALS } from "../../../node/files/end-with-program.ts";
import {
  createTemporaryHome,
  type TemporaryHome,
  type TemporaryHomeOptions,
} from "../../../node/install/temporary-home.ts";
import type { Io } from "../../terminal/io.ts";

/** Runs a program in a home that is deleted afterwards. Returns its exit code as a shell does. */
export async function runInHome(
  options: TemporaryHomeOptions,
  { command, args }: { command: string; args: readonly string[] },
  { cwd, stdin }: Io,
): Promise<number> {
  const signals = new PassedOn(stdin.isTTY === true);
  let home: TemporaryHome | undefined;
  try {
    home = await createTemporaryHome({ ...options, cwd, signal: signals.early });
    signals.early.throwIfAborted();
    // The program shares the terminal and the process group, so that it receives the keyboard input.
    const child = spawn(command, args, { stdio: "inherit", cwd, env: home.env });
    signals.child = child;
    return await codeOf(child, command);
  } catch (error) {
    if (signals.early.aborted) return signals.code;
    throw error;
  } finally {
    await home?.close();
    signals.stop();
  }
}

const PASSED_ON = [...END_SIGNALS, "SIGQUIT"] as const;

/** Passes signals on to the program. Before the program starts, a signal cancels the preparation. */
class PassedOn {
  child: ChildProcess | undefined;
  code = 0;
  readonly #stopped = new AbortController();
  readonly #listeners = new Map<NodeJS.Signals, () => void>();

  constructor(isTTY: boolean) {
    for (const name of PASSED_ON) {
      const listener = (): void => this.#pass(name, isTTY);
      this.#listeners.set(name, listener);
      process.on(name, listener);
    }
  }

  get early(): AbortSignal {
    return this.#stopped.signal;
  }

  stop(): void {
    for (const [name, listener] of this.#listeners) process.off(name, listener);
  }

  #pass(name: NodeJS.Signals, isTTY: boolean): void {
    // The terminal sends these signals to the program as well.
    const isTyped = isTTY && (name === "SIGINT" || name === "SIGQUIT");
    if (this.child !== undefined) {
      if (!isTyped) this.child.kill(name);
      return;
    }
    this.code = 128 + constants.signals[name];
    this.#stopped.abort();
  }
}

function codeOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const reason =
        code === "ENOENT" ? "the program does not exist" : code === "EACCES" ? "it is not executable" : message;
      reject(new SkillError("agent-not-found", `'${command}' cannot be started: ${reason}.`));
    });
    child.once("exit", (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  });
}
