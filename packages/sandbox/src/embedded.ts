import { type ScriptEnd, type ScriptJob, type ScriptRunner, scriptLanguage } from "skillset/scripts";
import { checkInterpreters } from "./check-interpreters.ts";
import { runDeno } from "./deno/run-deno.ts";
import { runShell } from "./just-bash/run-shell.ts";

/** Runs scripts in interpreters without access to the machine: just-bash for shell and Python, deno for JS and TS. */
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
