import { SkillError } from "../core/base/errors.ts";
import type { Problem } from "../core/base/problem.ts";
import type { ScriptHost } from "../core/host/script-host.ts";
import { checkHooks, HOOKS } from "../core/script/check-hooks.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { createScriptRunner } from "./runners/create-script-runner.ts";
import { createScriptHost } from "./script-host.ts";

/** What runs the scripts of a skillset, or why nothing does. */
export interface OpenedScripts {
  readonly host?: ScriptHost;
  readonly problems: readonly Problem[];
}

/** Chooses and tests the runner. Throws if the named one does not work; without a name, a problem says so. */
export async function openScripts(options: ScriptOptions): Promise<OpenedScripts> {
  checkOptions("The option 'scripts'", options, OPTIONS);
  checkHooks(options);
  checkValues(options);
  const { runner = "auto", minimum } = options;
  const found = await createScriptRunner(runner, minimum === undefined ? {} : { minimum });
  const broken = found.warnings.map(
    (message): Problem => ({ code: "sandbox-broken", severity: "warning", message, fix: FIX }),
  );
  if (found.runner !== undefined) return { host: createScriptHost(found.runner, options), problems: broken };
  const { reason, fix } = found;
  const message = `Scripts are disabled: ${reason}`;
  if (runner !== "auto") throw new SkillError("scripts-disabled", fix === undefined ? message : `${message} ${fix}`);
  return { problems: [...broken, { code: "scripts-disabled", severity: "warning", message, ...(fix && { fix }) }] };
}

const FIX = "Repair the sandbox, or name the runner that scripts should use.";

const OPTIONS: OptionTable<ScriptOptions> = {
  ...HOOKS,
  runner: true,
  minimum: true,
  limits: true,
  folder: true,
  keepFor: true,
  packages: true,
};

/** A wrong value must not disable a limit. */
function checkValues({ folder, keepFor }: ScriptOptions): void {
  const invalid = (message: string): SkillError => new SkillError("option-invalid", message);
  if (folder !== undefined && (typeof folder !== "string" || folder === "")) throw invalid("'folder' must be a path.");
  if (keepFor !== undefined && !(typeof keepFor === "number" && keepFor >= 0))
    throw invalid(`'keepFor' must be a number of milliseconds, at least 0, not ${String(keepFor)}.`);
}
