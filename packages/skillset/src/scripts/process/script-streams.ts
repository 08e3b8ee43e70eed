import { execFile } from "node:child_process";
import { chmodSync, closeSync, constants, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../../node/copy/owned-folder.ts";

/** The standard streams of a program that is about to start. */
export interface ScriptStreams {
  /** File descriptors for the program. */
  readonly stdio: readonly [stdin: number, stdout: number, stderr: number];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Closes the program's side in this process, after the program started or failed to. */
  release(): void;
}

/**
 * Opens a file for stdin and named pipes for stdout and stderr. Node would use sockets, and a script that opens
 * /dev/stdin or /dev/stderr by name then fails. Undefined where there are no named pipes, and on Bun, which cannot read
 * a socket from a file descriptor.
 */
export async function openStreams(stdin: string): Promise<ScriptStreams | undefined> {
  if (process.platform === "win32" || process.versions.bun !== undefined) return undefined;
  const paths: string[] = [];
  try {
    const [output, errors] = [await takePipe(), await takePipe()];
    const input = `${output}-input`;
    paths.push(output, errors, input);
    writeFileSync(input, stdin);
    // The program may run as another user. Nobody else can enter the folder.
    chmodSync(input, 0o444);
    for (const path of [output, errors]) chmodSync(path, 0o622);
    const read = (path: string): Socket =>
      new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
    // A named pipe can be opened for writing without waiting once it has a reader.
    const [stdout, stderr] = [read(output), read(errors)];
    const stdio = [openSync(input, "r"), openSync(output, "w"), openSync(errors, "w")] as const;
    return { stdio, stdout, stderr, release: () => stdio.forEach((fd) => void closeSync(fd)) };
  } catch {
    return undefined;
  } finally {
    // An open file needs no name.
    for (const path of paths) rmSync(path, { force: true });
  }
}

/** Named pipes for the next programs. Node cannot create them, and starting `mkfifo` for each run takes too long. */
const stock: string[] = [];
let filling: Promise<void> | undefined;
let count = 0;
let folder: string | undefined;

const STOCK = 32;

async function takePipe(): Promise<string> {
  for (;;) {
    const path = stock.shift();
    if (path !== undefined) return path;
    filling ??= fillStock().finally(() => {
      filling = undefined;
    });
    await filling;
  }
}

async function fillStock(): Promise<void> {
  if (folder === undefined || !existsSync(folder)) folder = makeTemporaryFolder("skillset-streams-");
  const parent = folder;
  const paths = Array.from({ length: STOCK }, () => join(parent, String(count++)));
  await promisify(execFile)("mkfifo", paths);
  stock.push(...paths);
}
