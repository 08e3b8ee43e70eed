import { homedir } from "node:os";

/** Everything that a command touches besides skill folders; tests give their own. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Output {
  write(chunk: Uint8Array | string, done: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** The process's own streams, folders and Ctrl-C. */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  const controller = new AbortController();
  // Once: a second Ctrl-C ends the process at once, whatever it is waiting for.
  process.once("SIGINT", () => controller.abort());
  // A reader that went away is told to whoever writes; without a listener it would end the process with a stack.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    home: homedir(),
    signal: controller.signal,
    // Opened when a question is asked, which is hardly ever.
    get stdin() {
      return process.stdin;
    },
  };
}
