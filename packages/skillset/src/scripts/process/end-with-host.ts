import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { onPath } from "./find-interpreter.ts";

type Command = readonly [program: string, ...args: string[]];

/**
 * Lets the kernel kill a program when this one ends without ending it, for example because it was killed itself. Needs
 * `setpriv` of util-linux. Elsewhere the command is unchanged.
 */
export async function endWithHost(command: Command): Promise<Command> {
  setpriv ??= findSetpriv();
  const program = await setpriv;
  return program === undefined ? command : [program, "--pdeathsig", "KILL", "--", ...command];
}

let setpriv: Promise<string | undefined> | undefined;

async function findSetpriv(): Promise<string | undefined> {
  const [program] = process.platform === "linux" ? onPath("setpriv") : [];
  if (program === undefined) return undefined;
  try {
    // The one of BusyBox has no such option.
    await promisify(execFile)(program, ["--pdeathsig", "KILL", "--", "true"], { env: {}, timeout: 5_000 });
    return program;
  } catch {
    return undefined;
  }
}
