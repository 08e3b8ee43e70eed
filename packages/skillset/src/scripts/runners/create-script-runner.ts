import { checkChoice } from "../../core/base/check-choice.ts";
import { SkillError } from "../../core/base/errors.ts";
import { messageOf } from "../../core/base/message-of.ts";
import {
  type NamedRunner,
  RUNNER_NAMES,
  type RunnerName,
  SANDBOXES,
  type SandboxName,
  strengthOf,
} from "../../core/script/runner-names.ts";
import type { ScriptRunner } from "../../core/script/script.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import { checkOptions } from "../../core/text/check-options.ts";
import { whyNoTemporaryFolder } from "../../node/copy/owned-folder.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";
import { subprocess } from "./subprocess.ts";

/**
 * A runner that passed its test, or the reason why there is none. A warning is about a stronger sandbox that is installed
 * but does not work.
 */
export type FoundRunner =
  | {
      readonly runner: ScriptRunner;
      readonly warnings: readonly string[];
      /** Why `auto` did not take a stronger sandbox. */
      readonly skipped: readonly string[];
    }
  | {
      readonly runner?: undefined;
      readonly reason: string;
      /** What to do, if the reason does not say it. */
      readonly fix?: string;
      readonly warnings: readonly string[];
    };

interface NamedRunnerEntry {
  /** Returns a reason if the runner cannot be loaded. */
  load(): LoadedRunner | string | Promise<LoadedRunner | string>;
  /** How to install it. */
  readonly install?: string;
  /** The system on which `auto` tries it. Everywhere if undefined. */
  readonly autoOn?: NodeJS.Platform;
}

type LoadedRunner = ScriptRunner & { readonly isInstalled?: boolean };

const RUNNERS: Readonly<Record<NamedRunner, NamedRunnerEntry>> = {
  bubblewrap: { load: bubblewrap, install: "install the package bubblewrap (Linux)" },
  // On Linux it needs bubblewrap, which is stronger.
  "sandbox-runtime": {
    load: sandboxRuntime,
    install: "run: npm install @anthropic-ai/sandbox-runtime",
    autoOn: "darwin",
  },
  embedded: { load: loadEmbedded, install: "run: npm install @skillset/sandbox" },
  subprocess: { load: subprocess },
};

/**
 * Returns a runner by name, after its test passed.
 *
 * @example
 * ```ts
 * import { createScriptRunner } from "skillset/scripts";
 *
 * const found = await createScriptRunner("auto", { minimum: "embedded" });
 * console.log(found.runner === undefined ? found.reason : found.runner.level);
 * ```
 */
export async function createScriptRunner(
  wanted: RunnerName | ScriptRunner = "auto",
  options: Pick<ScriptOptions, "minimum"> = {},
): Promise<FoundRunner> {
  // A misspelt minimum would accept a weaker sandbox.
  checkOptions("createScriptRunner()", options, { minimum: true });
  const { minimum } = options;
  checkChoice("minimum", minimum, [undefined, ...SANDBOXES]);
  if (typeof wanted !== "string" && !isRunner(wanted))
    throw new SkillError("option-invalid", "'runner' must be a name or an object with 'level', 'check' and 'run'.");
  // Every runner needs one, for copies of skills. The name of the folder is for the operator.
  const failing = whyNoTemporaryFolder();
  if (failing !== undefined) return { reason: failing, warnings: [] };
  if (wanted === "auto") return strongest(minimum);
  const runner = typeof wanted === "string" ? await load(wanted) : wanted;
  if (typeof runner === "string") return { reason: runner, fix: installing([wanted as NamedRunner]), warnings: [] };
  if (isWeaker(runner.level, minimum)) {
    const reason = `the runner '${runner.level}' is weaker than the minimum '${minimum}'.`;
    return { reason, fix: fixFor(minimum), warnings: [] };
  }
  const failure = await check(runner);
  if (failure === undefined) return { runner, warnings: [], skipped: [] };
  const reason = `${runner.level}: ${failure}`;
  // The others say in their reason what to do.
  const isMissing = wanted === "bubblewrap" && "isInstalled" in runner && runner.isInstalled === false;
  return { reason, ...(isMissing && process.platform === "linux" && { fix: fixFor(wanted) }), warnings: [] };
}

/** A runner of somebody else may throw instead. */
async function check(runner: ScriptRunner): Promise<string | undefined> {
  try {
    return await runner.check();
  } catch (error) {
    return `it cannot be tested: ${messageOf(error)}`;
  }
}

function isRunner(value: Partial<ScriptRunner> | null): boolean {
  const { level, check, run } = value ?? {};
  return typeof level === "string" && typeof check === "function" && typeof run === "function";
}

/** A runner with an unknown level is weaker than any minimum. */
function isWeaker(level: string, minimum: ScriptOptions["minimum"]): boolean {
  return minimum !== undefined && strengthOf(level) < strengthOf(minimum);
}

/** What `auto` tries, strongest first. */
function triedByAuto(minimum: ScriptOptions["minimum"]): readonly SandboxName[] {
  const isTried = (name: SandboxName) => (RUNNERS[name].autoOn ?? process.platform) === process.platform;
  return SANDBOXES.filter((name) => isTried(name) && !isWeaker(name, minimum)).toReversed();
}

async function strongest(minimum: ScriptOptions["minimum"]): Promise<FoundRunner> {
  const warnings: string[] = [];
  const skipped: string[] = [];
  for (const name of triedByAuto(minimum)) {
    const runner = await RUNNERS[name].load();
    const failure = typeof runner === "string" ? runner : await check(runner);
    if (typeof runner !== "string" && failure === undefined) return { runner, warnings, skipped };
    skipped.push(`${name}: ${failure}`);
    if (typeof runner !== "string" && runner.isInstalled !== false)
      warnings.push(`${name} is installed but does not work: ${failure}`);
  }
  return { reason: `no sandbox works here. ${skipped.join(" ")}`, fix: fixFor(minimum), warnings };
}

/** The sandbox that works on every system is the easiest to install where bubblewrap does not exist. */
function fixFor(minimum: SandboxName | undefined): string {
  const tried = triedByAuto(minimum);
  const names = minimum === undefined || tried.includes(minimum) ? tried : [...tried, minimum];
  const easiest = process.platform !== "linux" && names.includes("embedded") ? (["embedded"] as const) : names;
  return installing(easiest);
}

function installing(names: readonly NamedRunner[]): string {
  const fix = names.map((name) => RUNNERS[name].install).join(", or ");
  return `${fix.slice(0, 1).toUpperCase()}${fix.slice(1)}${fix.endsWith(")") ? "." : ""}`;
}

async function load(name: NamedRunner): Promise<LoadedRunner | string> {
  if (Object.hasOwn(RUNNERS, name)) return RUNNERS[name].load();
  const known = RUNNER_NAMES.join(", ");
  throw new SkillError("option-invalid", `Unknown script runner '${String(name)}'. Known runners: ${known}.`);
}

/** The package is not a dependency: its interpreters have 180 MB. */
async function loadEmbedded(): Promise<ScriptRunner | string> {
  const name = "@skillset/sandbox";
  try {
    const { embedded } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
      embedded(): ScriptRunner;
    };
    return embedded();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    return isMissing
      ? "the package @skillset/sandbox is not installed."
      : `${name} cannot be loaded: ${messageOf(error)}`;
  }
}
