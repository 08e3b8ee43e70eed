export type {
  ConsentAnswer,
  ConsentRequest,
  ScriptConsent,
  ScriptEnd,
  ScriptFile,
  ScriptHooks,
  ScriptJob,
  ScriptLimits,
  ScriptOutput,
  ScriptResult,
  ScriptRunner,
} from "../core/script/script.ts";
export type { RunnerName, ScriptOptions } from "../core/script/script-options.ts";
export { endWithHost } from "./process/end-with-host.ts";
export type { Language } from "./process/interpreter.ts";
export { type ProcessJob, runProcess } from "./process/run-process.ts";
export { fillArguments, type ScriptFolders, scriptEnvironment, scriptLanguage } from "./process/script-command.ts";
export { bubblewrap } from "./runners/bubblewrap.ts";
export { createScriptRunner, type FoundRunner } from "./runners/create-script-runner.ts";
export { subprocess } from "./runners/subprocess.ts";
