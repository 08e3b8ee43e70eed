import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { RemoteCommand, RemotePath, RemoteProcess } from "./remote-session.ts";

/** For tests: a session with this machine, with plain processes of a shell and no containment. */
export class ShellSession {
  /** Command lines that were run, and paths that were written. */
  readonly lines: string[] = [];
  readonly written: string[] = [];
  readonly #shell: string;

  constructor(shell = "/bin/sh") {
    this.#shell = shell;
  }

  async run(options: RemoteCommand): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    const started = await this.spawn(options);
    const [stdout, stderr] = await Promise.all([text(started.stdout), text(started.stderr)]);
    return { ...(await started.wait()), stdout, stderr };
  }

  async spawn({ command, env, abortSignal }: RemoteCommand): Promise<RemoteProcess> {
    abortSignal?.throwIfAborted();
    this.lines.push(command);
    const child = spawn(this.#shell, ["-c", command], {
      cwd: "/",
      env: { PATH: MACHINE_PATH, HOME: "/", OF_THE_MACHINE: "canary", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const exit = new Promise<{ exitCode: number }>((resolve, reject) => {
      child.once("error", reject).once("exit", (code) => resolve({ exitCode: code ?? 255 }));
    });
    const kill = async (): Promise<void> => {
      try {
        if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    abortSignal?.addEventListener("abort", kill);
    return {
      stdout: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      stderr: Readable.toWeb(child.stderr) as ReadableStream<Uint8Array>,
      wait: async () => {
        const end = await exit;
        abortSignal?.throwIfAborted();
        return end;
      },
      kill,
    };
  }

  async readFile({ path }: RemotePath): Promise<ReadableStream<Uint8Array> | null> {
    const stats = await stat(path).catch(() => undefined);
    return stats === undefined ? null : (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>);
  }

  async writeBinaryFile({ path, content }: RemotePath & { content: Uint8Array }): Promise<void> {
    this.written.push(path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** The tests change the variable of this process. */
const MACHINE_PATH = process.env.PATH ?? "/usr/bin:/bin";
