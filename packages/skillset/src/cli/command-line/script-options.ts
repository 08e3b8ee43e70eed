import { SkillError } from "../../core/base/errors.ts";
import { scriptHostsOf } from "../../core/host/skill-host.ts";
import type { RunnerName } from "../../core/script/runner-names.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { Skillset } from "../../core/skillset.ts";
import { environmentSecrets } from "../../scripts/environment-secrets.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";
import type { OptionSpecs } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** The option of the commands that run scripts. */
export const ENV_OPTION = {
  env: {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "pass this variable to the scripts of skills that name it in 'metadata.env'; its value is never shown",
  },
} as const satisfies OptionSpecs;

/** Throws if somebody wrote a value, or if no script can run. */
export function checkEnv(names: readonly string[] = [], runner: RunnerName | undefined): void {
  const wrong = names.find((name) => name.includes("="));
  if (wrong !== undefined) {
    const name = printable(wrong.replace(/=.*/s, ""));
    throw new UsageError(
      `'--env' takes a name: others can see a value on the command line. Set the variable, and write '--env ${name}'.`,
    );
  }
  if (names.length > 0 && runner === undefined) throw new UsageError("'--env' needs '--scripts'.");
}

/** What supplies the variables that `--env` names. Throws if one is not set. */
export function toSecrets(names: readonly string[] | undefined, { env }: Io): Pick<ScriptOptions, "secrets"> {
  const missing = names?.find((name) => (env[name] ?? "") === "");
  if (missing !== undefined) throw new UsageError(`'--env ${printable(missing)}': the variable is not set.`);
  return names === undefined ? {} : { secrets: environmentSecrets(names, env) };
}

/** Writes that a sandbox is broken, and why scripts cannot run although they were asked for. */
export async function reportScripts(skillset: Skillset, io: Io): Promise<void> {
  await reportBroken(skillset, io);
  if (scriptHostsOf(skillset).length === 0) await warn(whyDisabled(skillset), io);
}

/** Writes that a sandbox is broken. Throws if nothing can run scripts. */
export async function requireScripts(skillset: Skillset, io: Io): Promise<void> {
  await reportBroken(skillset, io);
  if (scriptHostsOf(skillset).length === 0) throw new SkillError("scripts-disabled", whyDisabled(skillset));
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
