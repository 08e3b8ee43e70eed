import { Readable } from "node:stream";
import { exitCodesOf } from "./command-line/exit-codes.ts";
import { lookUp } from "./commands/all.ts";
import { main } from "./main.ts";
import type { Io, Output } from "./terminal/io.ts";

/** The environment of a command under test. */
export interface World extends Partial<Pick<Io, "home" | "env" | "signal">> {
  readonly cwd: string;
  /** The keyboard input. Without it, and without `isTTY`, there is no terminal. */
  readonly answer?: string;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Runs a command line in this process, for tests, and captures its output. Throws if the exit code is undocumented. */
export async function runCaptured(
  argv: readonly string[],
  { cwd, answer, isTTY = answer !== undefined, columns, ...rest }: World,
) {
  const [stdout, stderr] = [capture(isTTY, columns), capture(isTTY, columns)];
  const stdin = Object.assign(Readable.from(answer === undefined ? [] : [answer]), { isTTY });
  const io = { cwd, home: `${cwd}/no-home`, env: {}, signal: new AbortController().signal, ...rest };
  const code = await main(argv, { ...io, stdout, stderr, stdin });
  await checkExitCode(argv, code);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Every test that runs a command checks that its help lists the exit code. */
async function checkExitCode([name = ""]: readonly string[], code: number): Promise<void> {
  const exitCodes = exitCodesOf((await lookUp(name)?.[1].load())?.exitCodes);
  if (exitCodes.other === undefined && exitCodes[code] === undefined)
    throw new Error(`'skillset ${name}' returned ${code}, which is not among its exit codes.`);
}

function capture(isTTY: boolean, columns: number | undefined): Output & { text(): string } {
  let text = "";
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    write(chunk, done) {
      text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      done();
    },
    text: () => text,
  };
}
