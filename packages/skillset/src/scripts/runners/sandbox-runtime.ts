import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../node/copy/owned-folder.ts";
import { cannotRunWithout } from "../process/cannot-run.ts";
import { missingInterpreter, onPath } from "../process/find-interpreter.ts";
import { refuseFailures } from "../process/refuse-failures.ts";
import { fillArguments, scriptLanguage } from "../process/script-command.ts";
import { checkRuntime } from "./sandbox-runtime/check-runtime.ts";
import { findReadableInterpreter } from "./sandbox-runtime/readable-interpreter.ts";
import { runWrapped } from "./sandbox-runtime/run-wrapped.ts";
import { findRuntimePackage, PACKAGE } from "./sandbox-runtime/wrap-command.ts";

/** Options of `sandboxRuntime`. */
export interface SandboxRuntimeOptions {
  /**
   * Hosts that scripts may connect to, such as `api.example.com`, `*.example.com` or `api.example.com:443`.
   * @default [] (no network)
   */
  readonly allowedDomains?: readonly string[];
}

/**
 * Runs scripts in the sandbox of `@anthropic-ai/sandbox-runtime` (macOS and Linux): no network, or only to some hosts; no
 * files of people. Refuses to run as root.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { sandboxRuntime } from "skillset/scripts";
 *
 * const runner = sandboxRuntime({ allowedDomains: ["api.example.com"] });
 * const skills = await createSkillset(["./skills"], { scripts: { runner, consent: () => "once" } });
 * ```
 */
export function sandboxRuntime(options: SandboxRuntimeOptions = {}): ScriptRunner & {
  readonly isInstalled: boolean;
} {
  checkOptions("sandboxRuntime()", options, OPTIONS);
  const { allowedDomains = [] } = options;
  const runtime = findRuntimePackage();
  const whyNot = whyNotHere(runtime === undefined);
  const key = JSON.stringify(allowedDomains);
  const run = async (job: ScriptJob): Promise<ScriptEnd> => {
    if (runtime === undefined) return { outcome: "refused", reason: SANDBOX_FAILS };
    const { language, reason = "" } = scriptLanguage(job);
    if (language === undefined) return { outcome: "refused", reason };
    const interpreter = await findReadableInterpreter(language);
    if (interpreter === undefined) return { outcome: "refused", reason: missingInterpreter(language) };
    const { script, args, skillFolder, outputFolder, ...rest } = job;
    if (args.some((arg) => arg.includes("\0")))
      return { outcome: "refused", reason: "An argument of the script contains a NUL character." };
    const temporary = makeTemporaryFolder("skillset-run-");
    try {
      // The sandbox mounts folders where they really are.
      const folders = { skill: realpathSync(skillFolder), output: realpathSync(outputFolder), temporary };
      const command = [interpreter.program, ...interpreter.args, join(folders.skill, script)];
      return await runWrapped({
        ...rest,
        runtime,
        command: [...command, ...fillArguments(args, folders)],
        folders,
        reads: interpreter.reads,
        allowedDomains,
      });
    } finally {
      removeOwnedFolder(temporary);
    }
  };
  const check = async (): Promise<string | undefined> => {
    if (whyNot !== undefined) return whyNot;
    const checked = CHECKED.get(key) ?? checkRuntime(run, allowedDomains.length > 0);
    CHECKED.set(key, checked);
    return checked;
  };
  return {
    level: "sandbox-runtime",
    isInstalled: runtime !== undefined,
    check,
    cannotRun: cannotRunWithout(findReadableInterpreter),
    run: refuseFailures(async (job: ScriptJob): Promise<ScriptEnd> => {
      if (job.signal.aborted) return ABORTED;
      if ((await check()) !== undefined) return { outcome: "refused", reason: SANDBOX_FAILS };
      return run(job);
    }),
  };
}

const ABORTED: ScriptEnd = { outcome: "aborted", command: [], stdout: "", stderr: "" };

/** The test runs once in a process for the same hosts. */
const CHECKED = new Map<string, Promise<string | undefined>>();

/** Without details of the host: a model may read it. */
const SANDBOX_FAILS = "The sandbox does not work on this machine.";

/** Why the sandbox cannot work, without starting it. */
function whyNotHere(isMissing: boolean): string | undefined {
  if (process.platform !== "linux" && process.platform !== "darwin") return "it needs Linux or macOS.";
  // As root it keeps capabilities, and every file of the machine could be read.
  if (process.getuid?.() === 0) return "it does not contain scripts of root. Start this program as another user.";
  if (isMissing) return `the package ${PACKAGE} is not installed. Run: npm install ${PACKAGE}`;
  if (process.platform === "darwin") return undefined;
  const packages = { bwrap: "bubblewrap", socat: "socat", rg: "ripgrep" };
  const missing = Object.entries(packages).flatMap(([name, one]) => (onPath(name).length === 0 ? one : []));
  return missing.length === 0 ? undefined : `it needs programs that are not installed. Install: ${missing.join(", ")}.`;
}

const OPTIONS: OptionTable<SandboxRuntimeOptions> = {
  allowedDomains: true,
};
