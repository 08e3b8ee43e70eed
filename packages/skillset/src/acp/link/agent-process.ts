import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { within } from "./within.ts";

/** Environment variables; one that is undefined is left out. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How to start an agent that speaks ACP over stdin and stdout. */
export interface AgentCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Its whole environment; this program's environment by default. */
  readonly env?: Environment;
  readonly cwd?: string;
}

/** An agent that runs as a separate program, with its process group. */
export class AgentProcess {
  readonly stream: Stream;
  /** How it ended, in words. */
  readonly exited: Promise<string>;
  /** Resolves when whatever it started has ended too, which may take longer. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #errors = "";

  private constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-LIMITS.agent.stderrCharacters);
    });
    child.stdin.on("error", () => {});
    this.stream = ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    const closed = new Promise<void>((resolve) => void child.once("close", resolve));
    const exit = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) =>
        resolve(signal === null ? `exited with code ${code}` : `was ended by ${signal}`),
      );
    });
    // Its last words may come after its end.
    this.exited = exit.then((how) => within(500, closed).then(() => how));
    this.ended = exit.then(async () => {
      await this.#endGroup();
      forget(this);
      await this.exited;
    });
    endWithProgram(this);
  }

  static async start(given: AgentCommand): Promise<AgentProcess> {
    const { command, args = [], env, cwd } = given;
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      // A separate process group, which can be ended as a whole, and which Ctrl-C does not reach past us.
      detached: process.platform !== "win32",
      ...(env !== undefined && { env: env as NodeJS.ProcessEnv }),
      cwd,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", (error: NodeJS.ErrnoException) => reject(cannotStart(given, error)));
    });
    return new AgentProcess(child);
  }

  /** What it wrote to stderr last. */
  get lastLines(): string {
    return this.#errors.trim().split("\n").slice(-LIMITS.agent.stderrLines).join("\n");
  }

  /** Whether this program waits for the agent: only while the agent works for it. */
  keepAlive(isNeeded: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const one of [this.#child, stdin, stdout, stderr] as unknown as Pick<Socket, "ref" | "unref">[])
      if (isNeeded) one.ref();
      else one.unref();
  }

  /** Ends it and its process group. Some agents end at the end of their input, others only on a signal. */
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

  /** At once, without asking. */
  kill(): void {
    this.#signalGroup("SIGKILL");
    this.#child.kill("SIGKILL");
  }

  /** Ends what the agent has left behind. */
  async #endGroup(): Promise<void> {
    if (process.platform === "win32" || !this.#signalGroup("SIGTERM")) return;
    for (let waited = 0; waited < LIMITS.agent.endTime; waited += 20) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (!this.#signalGroup(0)) return;
    }
    this.#signalGroup("SIGKILL");
  }

  /** Whether there is anything left of it that could be told. */
  #signalGroup(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    try {
      return pid !== undefined && process.platform !== "win32" && process.kill(-pid, signal);
    } catch {
      return false;
    }
  }
}

const RUNNING = new Set<AgentProcess>();
let isHooked = false;

/** When this program ends without closing its agents, they go too. */
function endWithProgram(agent: AgentProcess): void {
  if (RUNNING.size === 0) for (const signal of SIGNALS) process.on(signal, endOnSignal);
  RUNNING.add(agent);
  if (isHooked) return;
  isHooked = true;
  process.once("exit", () => {
    for (const one of RUNNING) one.kill();
  });
}

function forget(agent: AgentProcess): void {
  RUNNING.delete(agent);
  if (RUNNING.size === 0) for (const signal of SIGNALS) process.off(signal, endOnSignal);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Agents have groups of their own, so that Ctrl-C does not reach them. A program that listens itself decides itself. */
function endOnSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  for (const one of RUNNING) one.kill();
  process.off(signal, endOnSignal);
  process.kill(process.pid, signal);
}

function cannotStart({ command, cwd }: AgentCommand, { code, message }: NodeJS.ErrnoException): SkillError {
  const reasons: Record<string, string> = {
    ENOENT: cwd === undefined || existsSync(cwd) ? "there is no such program" : `its folder ${cwd} does not exist`,
    EACCES: "it may not be run",
  };
  const text = `The agent '${command}' cannot be started: ${reasons[code ?? ""] ?? message}.`;
  return new SkillError("agent-not-found", text);
}
