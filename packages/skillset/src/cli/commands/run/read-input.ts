import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { resolvePath } from "../../../node/load/sources.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";

/** Parses the value of `--input`: JSON, `-` for stdin, or `@FILE`. */
export async function readInput(given: string, io: Io): Promise<unknown> {
  const json = await textOf(given, io);
  try {
    return JSON.parse(json);
  } catch (error) {
    const from = given === "-" ? "stdin" : given.startsWith("@") ? `'${given.slice(1)}'` : "the value of '--input'";
    const hint = from.startsWith("the") ? " Quote it for your shell, as in --input '{\"pages\": 3}'." : "";
    throw new UsageError(`${capitalised(from)} is not JSON: ${(error as Error).message}.${hint}`);
  }
}

async function textOf(given: string, { stdin, cwd, signal }: Io): Promise<string> {
  if (given === "-") {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return Promise.race([text(stdin), aborted]);
  }
  if (!given.startsWith("@")) return given;
  try {
    return readFileSync(resolvePath(given.slice(1), cwd), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`'${given.slice(1)}' cannot be read (${code}). '--input @FILE' reads JSON from a file.`);
  }
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
