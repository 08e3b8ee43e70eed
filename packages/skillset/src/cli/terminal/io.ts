import { homedir } from "node:os";

/** Everything that a command uses besides skill folders. Tests pass their own. */
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

/** The streams, folders and Ctrl-C of this process. */
export function processIo(): Io {
  const { stdout, stderr, env } = process;
  const controller = new AbortController();
  // Only once: a second Ctrl-C ends the process immediately.
  process.once("SIGINT", () => controller.abort());
  // Writers handle a closed pipe themselves; without a listener the error would crash the process.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    home: homedir(),
    signal: controller.signal,
    // A getter, because reading the property opens the stream.
    get stdin() {
      return process.stdin;
    },
  };
}
