import type { RunnerName } from "../../core/script/script-options.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";

/** What can run scripts, by the names that options accept. */
export const RUNNERS = ["auto", "bubblewrap", "embedded", "subprocess"] as const satisfies readonly RunnerName[];

/** Writes why scripts cannot run, or that a sandbox is broken. */
export async function reportScripts({ problems }: Skillset, io: Io): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  for (const { code, message, fix } of problems) {
    if (code !== "scripts-disabled" && code !== "sandbox-broken") continue;
    const text = fix === undefined ? message : `${message} ${fix}`;
    await writeLine(io.stderr, paint(["bold", "red"], `Warning: ${printable(text)}`));
  }
}
