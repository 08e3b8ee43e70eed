import { type ScriptEnd, type ScriptJob, type ScriptRunner, scriptLanguage } from "skillset/scripts";
import { checkInterpreters } from "./check-interpreters.ts";
import { runDeno } from "./deno/run-deno.ts";
import { runShell } from "./just-bash/run-shell.ts";

/**
 * Runs scripts in interpreters without access to the machine: just-bash for shell and Python, deno for JS and TS. With
 * the name `embedded`, skillset finds this package itself; pass the runner where it cannot, such as with pnpm.
 * @example
 * ```ts
 * import { embedded } from "@skillset/sandbox";
 * import { createSkillset } from "skillset";
 *
 * const scripts = { runner: embedded(), consent: () => "once" as const };
 * const session = await (await createSkillset(["./skills"], { scripts })).session();
 * const result = await session.run("report", "scripts/report.py", { args: ["--year", "2026"] });
 * if (result.outcome === "exited") console.log(result.exitCode, result.stdout, result.files);
 * ```
 */
export function embedded(): ScriptRunner {
  return { level: "embedded", check: () => (checked ??= checkInterpreters(run)), run };
}

/** A program checks once. */
let checked: Promise<string | undefined> | undefined;

async function run(job: ScriptJob): Promise<ScriptEnd> {
  const { language, reason = "" } = scriptLanguage(job);
  if (language === undefined) return { outcome: "refused", reason };
  try {
    switch (language) {
      case "shell":
        return await runShell(job, "sh");
      case "bash":
        return await runShell(job, "bash");
      case "python":
        return await runShell(job, "python3");
      case "javascript":
      case "typescript":
        return await runDeno(job, language);
      default:
        return {
          outcome: "refused",
          reason: `The runner 'embedded' cannot run ${NAMES[language]}. The runner 'bubblewrap' can, where ${language} is installed.`,
        };
    }
  } catch (error) {
    return {
      outcome: "refused",
      reason: `The script cannot be started: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}.`,
    };
  }
}

const NAMES = { ruby: "Ruby", perl: "Perl" };
