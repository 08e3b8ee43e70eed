import { refuseFailures, type ScriptEnd, type ScriptJob, type ScriptRunner, scriptLanguage } from "skillset/scripts";
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
 * const result = await session.scripts.run("report", "scripts/report.py", { args: ["--year", "2026"] });
 * if (result.outcome === "exited") console.log(result.exitCode, result.stdout, result.files);
 * ```
 */
export function embedded(): ScriptRunner {
  return { level: "embedded", check, cannotRun, run };
}

/** A program checks once, and again only if the check itself did not work. */
let checked: Promise<string | undefined> | undefined;

async function check(): Promise<string | undefined> {
  checked ??= checkInterpreters(run);
  try {
    return await checked;
  } catch (error) {
    checked = undefined;
    return `the interpreters cannot be tested: ${(error as Error).message}`;
  }
}

async function cannotRun(job: Pick<ScriptJob, "skillFolder" | "script">): Promise<string | undefined> {
  const { language, reason } = scriptLanguage(job);
  if (language === undefined) return reason;
  return language === "ruby" || language === "perl" ? lacks(language) : undefined;
}

const run = refuseFailures(async (job: ScriptJob): Promise<ScriptEnd> => {
  const { language, reason = "" } = scriptLanguage(job);
  if (language === undefined) return { outcome: "refused", reason };
  switch (language) {
    case "shell":
      return runShell(job, "sh");
    case "bash":
      return runShell(job, "bash");
    case "python":
      return runShell(job, "python3");
    case "javascript":
    case "typescript":
      return runDeno(job, language);
    default:
      return { outcome: "refused", reason: lacks(language) };
  }
});

function lacks(language: keyof typeof NAMES): string {
  return `The runner 'embedded' cannot run ${NAMES[language]}. The runner 'bubblewrap' can, where ${language} is installed.`;
}

const NAMES = { ruby: "Ruby", perl: "Perl" };
