import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { endWithProgram } from "../../node/files/end-with-program.ts";
import { within } from "./deadline.ts";

/** Environment variables; undefined values are omitted. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How to start an agent that speaks ACP over stdin and stdout. */
export interface AgentCommand {
  /** The program to run: a name on the `PATH`, or a path. */
  readonly command: string;
  /**
   * The program's arguments.
   * @default []
   */
  readonly args?: readonly string[];
  /**
   * The complete environment of the process.
   * @default process.env
   */
  readonly env?: Environment;
  /**
   * The process's working folder.
   * @default process.cwd()
   */
  readonly cwd?: string;
}

/** An agent that runs as a separate program in its own process group. */
export class AgentProcess {
  /** Resolves to a description of how the process ended. */
  readonly exited: Promise<string>;
  /** Resolves when everything the agent started has ended too, which can take longer. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable | null>;
  #errors = "";

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable | null>) {
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-LIMITS.agent.stderrCharacters);
    });
    child.stdin.on("error", () => {});
    const closed = new Promise<void>((resolve) => void child.once("close", resolve));
    const exit = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) =>
        resolve(signal === null ? `exited with code ${code}` : `was ended by ${signal}`),
      );
    });
    // Output may still arrive after the exit.
    this.exited = exit.then((how) => within(500, closed).then(() => how));
    const forget = endWithProgram(() => this.kill());
    this.ended = exit.then(async () => {
      await this.#endGroup();
      forget();
      await this.exited;
    });
  }

  /** Starts the agent. With `stderr: "inherit"`, it writes to the stderr of this program. */
  static async start(
    given: AgentCommand,
    { stderr = "pipe" }: { readonly stderr?: "pipe" | "inherit" } = {},
  ): Promise<AgentProcess> {
    const { command, args = [], env, cwd } = given;
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", stderr],
      // A separate process group can be stopped as a whole, and Ctrl-C reaches it only through us.
      detached: process.platform !== "win32",
      ...(env !== undefined && { env: env as NodeJS.ProcessEnv }),
      cwd,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", (error: NodeJS.ErrnoException) => reject(cannotStart(given, error)));
    });
    return new AgentProcess(child as ChildProcessByStdio<Writable, Readable, Readable | null>);
  }

  /** Its messages. Uses up `output`. */
  get stream(): Stream {
    return ndJsonStream(
      Writable.toWeb(this.#child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(this.#child.stdout) as ReadableStream<Uint8Array>,
    );
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** The last lines that the agent wrote to stderr. */
  get lastLines(): string {
    return this.#errors.trim().split("\n").slice(-LIMITS.agent.stderrLines).join("\n");
  }

  /** Sets whether this program waits for the agent. It does so only during a run. */
  keepAlive(isNeeded: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const one of [this.#child, stdin, stdout, stderr] as unknown as (Pick<Socket, "ref" | "unref"> | null)[])
      if (isNeeded) one?.ref();
      else one?.unref();
  }

  /** Stops the agent and its process group. Some agents exit when stdin closes, others only on a signal. */
  async stop(): Promise<void> {
    this.keepAlive(true);
    this.#child.stdin.end();
    this.#child.kill("SIGTERM");
    if (
      await within(
        LIMITS.agent.endTime,
        this.ended.then(() => true),
      )
    )
      return;
    this.kill();
    await this.ended;
  }

  /** Kills the agent and its process group immediately. */
  kill(): void {
    this.#signalGroup("SIGKILL");
    this.#child.kill("SIGKILL");
  }

  /** Stops the processes that the agent left running. */
  async #endGroup(): Promise<void> {
    if (process.platform === "win32" || !this.#signalGroup("SIGTERM")) return;
    for (let waited = 0; waited < LIMITS.agent.endTime; waited += 20) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (!this.#signalGroup(0)) return;
    }
    this.#signalGroup("SIGKILL");
  }

  /** Returns whether the process group still exists and received the signal. */
  #signalGroup(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    try {
      return pid !== undefined && process.platform !== "win32" && process.kill(-pid, signal);
    } catch {
      return false;
    }
  }
}

function cannotStart({ command, cwd }: AgentCommand, { code, message }: NodeJS.ErrnoException): SkillError {
  const reasons: Record<string, string> = {
    ENOENT: cwd === undefined || existsSync(cwd) ? "the program was not found" : `its folder '${cwd}' does not exist`,
    EACCES: "permission denied",
  };
  const text = `The agent '${command}' cannot be started: ${reasons[code ?? ""] ?? message}.`;
  return new SkillError("agent-not-found", text);
}
