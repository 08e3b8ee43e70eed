import { SkillError } from "../../core/base/errors.ts";
import type { RunnerName, ScriptOptions } from "../../core/script/script-options.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";

/** What can run scripts, by the names that options accept. */
export const RUNNERS = ["auto", "bubblewrap", "embedded", "subprocess"] as const satisfies readonly RunnerName[];

export const SANDBOXES = ["embedded", "bubblewrap"] as const satisfies readonly ScriptOptions["minimum"][];

/** Writes that a sandbox is broken, and why scripts cannot run although they were asked for. */
export async function reportScripts(skillset: Skillset, io: Io): Promise<void> {
  await reportBroken(skillset, io);
  if (skillset.scripts === undefined) await warn(whyDisabled(skillset), io);
}

/** Writes that a sandbox is broken. Throws if nothing can run scripts. */
export async function requireScripts(skillset: Skillset, io: Io): Promise<void> {
  await reportBroken(skillset, io);
  if (skillset.scripts === undefined) throw new SkillError("scripts-disabled", whyDisabled(skillset));
}

/** Why scripts cannot run, although the command asked for them. */
function whyDisabled({ problems }: Skillset): string {
  const problem = problems.find(({ code }) => code === "scripts-disabled");
  if (problem === undefined) return "Scripts are disabled by a profile in skillset.json.";
  return problem.fix === undefined ? problem.message : `${problem.message} ${problem.fix}`;
}

async function reportBroken({ problems }: Skillset, io: Io): Promise<void> {
  for (const { code, message, fix = "" } of problems)
    if (code === "sandbox-broken") await warn(`${message} ${fix}`.trim(), io);
}

async function warn(text: string, io: Io): Promise<void> {
  await writeLine(io.stderr, createPaint(io.stderr, io.env)(["bold", "red"], `Warning: ${printable(text)}`));
}
