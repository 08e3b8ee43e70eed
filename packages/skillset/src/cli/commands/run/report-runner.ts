import { SkillError } from "../../../core/base/errors.ts";
import type { Skillset } from "../../../core/skillset.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";

/** Reports a sandbox that is installed but broken. Throws if nothing can run scripts. */
export async function reportRunner({ problems, scripts }: Skillset, io: Io): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  for (const { code, message } of problems)
    if (code === "sandbox-broken") await writeLine(io.stderr, paint(["bold", "red"], `Warning: ${printable(message)}`));
  if (scripts !== undefined) return;
  const { message = "Scripts are disabled.", fix } = problems.find(({ code }) => code === "scripts-disabled") ?? {};
  throw new SkillError("scripts-disabled", fix === undefined ? message : `${message} ${fix}`);
}
