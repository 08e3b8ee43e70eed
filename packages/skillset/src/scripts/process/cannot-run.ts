import type { ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { missingInterpreter } from "./find-interpreter.ts";
import type { Language } from "./interpreter.ts";
import { scriptLanguage } from "./script-command.ts";

/** Makes `cannotRun` of a runner from what finds its interpreters. */
export function cannotRunWithout(
  find: (language: Language) => unknown | Promise<unknown>,
): NonNullable<ScriptRunner["cannotRun"]> {
  return async (job: Pick<ScriptJob, "skillFolder" | "script">) => {
    const { language, reason } = scriptLanguage(job);
    if (language === undefined) return reason;
    return (await find(language)) === undefined ? missingInterpreter(language) : undefined;
  };
}
