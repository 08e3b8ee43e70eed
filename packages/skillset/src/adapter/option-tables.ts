import type { OptionTable } from "../core/text/check-options.ts";
import type { EvaluatePromptOptions } from "./evaluate-prompt.ts";
import type { RunOptions } from "./model-loop.ts";

/** The options that all adapters have. */
export const ADAPTER_OPTIONS: OptionTable<Omit<RunOptions, "stopWhen" | "maxSteps" | "compact">> = {
  catalog: true,
  operations: true,
  mode: true,
  inject: true,
  suggest: true,
  signal: true,
  session: true,
  tools: true,
  files: true,
};

/** The options of `RunOptions`. */
export const RUN_OPTIONS: OptionTable<RunOptions> = {
  ...ADAPTER_OPTIONS,
  stopWhen: true,
  maxSteps: true,
  compact: true,
};

/** The options of `EvaluatePromptOptions`. */
export const EVALUATION_OPTIONS: OptionTable<EvaluatePromptOptions<unknown>> = {
  prompt: true,
  enabledSkills: true,
  maxSteps: true,
  mode: true,
  onEvent: true,
  onWarning: true,
  overrides: true,
  scripts: true,
  session: true,
  signal: true,
};
