/**
 * A session with another machine, as the type `Experimental_SandboxSession` of the AI SDK describes it. Vercel, E2B,
 * Daytona and just-bash have such sessions. Only these methods are used.
 */
export interface RemoteSession {
  /** Runs one command line of a POSIX shell to its end. */
  run(options: RemoteCommand): PromiseLike<{ exitCode: number; stdout: string; stderr: string }>;
  /** Starts one command line. Without it, output arrives when a script has ended. */
  spawn?(options: RemoteCommand): PromiseLike<RemoteProcess>;
  /** Resolves to null if there is no such file. */
  readFile(options: RemotePath): PromiseLike<ReadableStream<Uint8Array> | null>;
  /** Creates the folders of the path, and replaces the file. */
  writeBinaryFile(options: RemotePath & { content: Uint8Array }): PromiseLike<void>;
}

export interface RemoteCommand {
  command: string;
  /** Variables of the command, besides those that the machine has. */
  env?: Record<string, string>;
  abortSignal?: AbortSignal;
}

export interface RemotePath {
  path: string;
  abortSignal?: AbortSignal;
}

export interface RemoteProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): PromiseLike<{ exitCode: number }>;
  kill(): PromiseLike<void>;
}
