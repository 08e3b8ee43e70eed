import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../core/errors.ts";
import { within } from "./within.ts";

/** How to start an agent that speaks ACP over stdin and stdout. */
export interface AgentCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Its whole environment; this program's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** An agent that runs as a program of its own, with everything that it starts. */
export class AgentProcess {
  readonly stream: Stream;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #errors = "";
  #isOver = false;

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_CHARACTERS);
    });
    child.stdin.on("error", () => {});
    this.stream = ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    // With its last words, which may come after its end.
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#isOver = true;
        // Whatever it has started goes with it.
        this.#kill("SIGKILL");
        RUNNING.delete(this);
        const end = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
        const tell = (): void => resolve(end);
        child.once("close", tell);
        setTimeout(tell, 500).unref();
      });
    });
    RUNNING.add(this);
  }

  static async start({ command, args = [], env, cwd }: AgentCommand): Promise<AgentProcess> {
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that it can be ended with all that it started, and Ctrl-C is ours to pass on.
      detached: process.platform !== "win32",
      ...(env !== undefined && { env: env as NodeJS.ProcessEnv }),
      ...(cwd !== undefined && { cwd }),
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", (error: NodeJS.ErrnoException) => reject(cannotStart(command, error)));
    });
    return new AgentProcess(child);
  }

  /** What it wrote to stderr last. */
  get lastLines(): string {
    return this.#errors.trim().split("\n").slice(-KEPT_LINES).join("\n");
  }

  /** Whether this program waits for the agent: only while the agent works for it. */
  keepAlive(isNeeded: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const one of [this.#child, stdin, stdout, stderr] as unknown as Pick<Socket, "ref" | "unref">[])
      if (isNeeded) one.ref();
      else one.unref();
  }

  /** Ends it and all that it started: politely, then firmly, then for good. */
  async stop(): Promise<void> {
    this.keepAlive(true);
    this.#child.stdin.end();
    for (const [signal, patience] of [
      ["SIGTERM", 500],
      ["SIGKILL", 2_000],
    ] as const) {
      if ((await within(patience, this.ended)) !== undefined) return;
      this.#kill(signal);
    }
    await this.ended;
  }

  /** At once, without asking. */
  kill(): void {
    this.#kill("SIGKILL");
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // All of it has ended already.
      if (!this.#isOver) this.#child.kill(signal);
    }
  }
}

const KEPT_LINES = 10;
const KEPT_CHARACTERS = 4_000;

/** When this program ends without closing its agents, they go too. */
const RUNNING = new Set<AgentProcess>();
process.on("exit", () => {
  for (const agent of RUNNING) agent.kill();
});

function cannotStart(command: string, { code, message }: NodeJS.ErrnoException): SkillError {
  const reason = code === "ENOENT" ? "there is no such program" : code === "EACCES" ? "it may not be run" : message;
  return new SkillError("agent-not-found", `The agent '${command}' cannot be started: ${reason}.`);
}
