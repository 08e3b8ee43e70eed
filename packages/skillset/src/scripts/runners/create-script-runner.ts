import { SkillError } from "../../core/base/errors.ts";
import { messageOf } from "../../core/base/message-of.ts";
import type { ScriptRunner } from "../../core/script/script.ts";
import type { RunnerName, ScriptOptions } from "../../core/script/script-options.ts";
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

/** What can be named as a minimum, weakest first. A container has an image, and so no name. */
const MINIMUMS: readonly string[] = ["embedded", "sandbox-runtime", "bubblewrap"];

/** Levels, weakest first. In a container, users are those of the host, and in bubblewrap they are not. */
const LEVELS: readonly string[] = ["subprocess", "embedded", "sandbox-runtime", "container", "bubblewrap"];

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
  if (minimum !== undefined && !MINIMUMS.includes(minimum))
    throw new SkillError(
      "option-invalid",
      `'minimum' must be embedded, sandbox-runtime or bubblewrap, not '${String(minimum)}'.`,
    );
  if (typeof wanted !== "string" && !isRunner(wanted))
    throw new SkillError("option-invalid", "'runner' must be a name or an object with 'level', 'check' and 'run'.");
  // Every runner needs one, for copies of skills. The name of the folder is for the operator.
  const failing = whyNoTemporaryFolder();
  if (failing !== undefined) return { reason: failing, warnings: [] };
  if (wanted === "auto") return strongest(minimum);
  const runner = typeof wanted === "string" ? await load(wanted) : wanted;
  if (typeof runner === "string") return { reason: runner, fix: INSTALL_EMBEDDED, warnings: [] };
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
  return minimum !== undefined && LEVELS.indexOf(level) < LEVELS.indexOf(minimum);
}

/** What `auto` tries, strongest first. On Linux, bubblewrap is stronger than the sandbox runtime, which needs it. */
const ELSEWHERE = ["bubblewrap", "embedded"] as const;
const ON_MACOS = ["bubblewrap", "sandbox-runtime", "embedded"] as const;

async function strongest(minimum: ScriptOptions["minimum"]): Promise<FoundRunner> {
  const warnings: string[] = [];
  const skipped: string[] = [];
  for (const name of process.platform === "darwin" ? ON_MACOS : ELSEWHERE) {
    if (isWeaker(name, minimum)) continue;
    const runner = await load(name);
    const failure = typeof runner === "string" ? runner : await check(runner);
    if (typeof runner !== "string" && failure === undefined) return { runner, warnings, skipped };
    skipped.push(`${name}: ${failure}`);
    if (typeof runner !== "string" && runner.isInstalled !== false)
      warnings.push(`${name} is installed but does not work: ${failure}`);
  }
  return { reason: `no sandbox works here. ${skipped.join(" ")}`, fix: fixFor(minimum), warnings };
}

function fixFor(minimum: ScriptOptions["minimum"]): string {
  const install = "Install the package bubblewrap (Linux)";
  if (minimum === "bubblewrap") return `${install}.`;
  if (minimum === "sandbox-runtime") return `${install}, or run: npm install @anthropic-ai/sandbox-runtime`;
  return process.platform === "linux" ? `${install}, or ${INSTALL_EMBEDDED.replace("Run", "run")}` : INSTALL_EMBEDDED;
}

async function load(name: Exclude<RunnerName, "auto">): Promise<(ScriptRunner & { isInstalled?: boolean }) | string> {
  if (name === "bubblewrap") return bubblewrap();
  if (name === "sandbox-runtime") return sandboxRuntime();
  if (name === "subprocess") return subprocess();
  if (name !== "embedded")
    throw new SkillError(
      "option-invalid",
      `Unknown script runner '${String(name)}'. Known runners: auto, subprocess, ${MINIMUMS.join(", ")}.`,
    );
  return loadEmbedded();
}

const INSTALL_EMBEDDED = "Run: npm install @skillset/sandbox";

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
