import { Readable } from "node:stream";
import { main } from "./main.ts";
import type { Io, Output } from "./terminal/io.ts";

/** What the world is like for a command under test. */
export interface World extends Partial<Pick<Io, "home" | "env" | "signal">> {
  readonly cwd: string;
  /** What is typed on the terminal; without it, and without `isTTY`, there is no terminal. */
  readonly answer?: string;
  readonly isTTY?: boolean;
}

/** Runs a command line in this process, for tests: nothing of it reaches the real terminal. */
export async function runCaptured(
  argv: readonly string[],
  { cwd, answer, isTTY = answer !== undefined, ...rest }: World,
) {
  const [stdout, stderr] = [capture(isTTY), capture(isTTY)];
  const stdin = Object.assign(Readable.from(answer === undefined ? [] : [answer]), { isTTY });
  const io = { cwd, home: `${cwd}/no-home`, env: {}, signal: new AbortController().signal, ...rest };
  const code = await main(argv, { ...io, stdout, stderr, stdin });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(isTTY: boolean): Output & { text(): string } {
  let text = "";
  return {
    isTTY,
    write(chunk, done) {
      text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      done();
    },
    text: () => text,
  };
}
