import { checkToolRules, type ToolRules } from "../allowed-tools/tool-rules.ts";
import { SkillError } from "../base/errors.ts";
import { DEFAULTS, LIMITS } from "../base/limits.ts";
import type { ScriptHooks } from "../script/script.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";
import { type SessionLimits, type SessionOptions, TRIGGER_MODES, type TriggerMode } from "./options.ts";
import type { SessionTelemetry } from "./telemetry.ts";

/** How a conversation behaves. It stays the same for as long as the conversation is open. */
export interface ConversationSettings {
  readonly limits: SessionLimits;
  readonly showDirectory: boolean;
  /** The prefix of a message that invokes a skill by name. */
  readonly invocationPrefix: string;
  readonly triggers: TriggerMode;
  readonly countTokens: TokenCounter;
  /** The conversation's own rules. They replace those of the skillset. */
  readonly toolRules: ToolRules;
  /** The conversation's own hooks. They replace those of the skillset. */
  readonly scripts: ScriptHooks;
  readonly telemetry: SessionTelemetry | undefined;
}

/** Returns the options with their defaults. Throws for a value that is not allowed. */
export function readSettings(options: SessionOptions): ConversationSettings {
  const { showDirectory = false, invocationPrefix = "/", countTokens = estimateTokens, telemetry } = options;
  const { limits = {}, triggers, allowedTools, toolNames, scripts = {} } = options;
  return {
    limits: { ...DEFAULT_LIMITS, ...limits },
    showDirectory,
    invocationPrefix,
    triggers: checkTriggerMode(triggers),
    countTokens,
    toolRules: checkToolRules({ ...(allowedTools && { allowedTools }), ...(toolNames && { toolNames }) }),
    scripts,
    telemetry,
  };
}

function checkTriggerMode(mode: TriggerMode = "off"): TriggerMode {
  if (TRIGGER_MODES.includes(mode)) return mode;
  throw new SkillError("option-invalid", `'triggers' must be "off", "activate" or "suggest", not '${mode}'.`);
}

export const DEFAULT_LIMITS: SessionLimits = {
  skillMdBytes: LIMITS.soft.skillMd,
  resourceBytes: LIMITS.soft.resource,
  fileBytes: LIMITS.hard.sentFile,
  listedFiles: DEFAULTS.listedFiles,
  toolTimeout: DEFAULTS.toolTimeout,
};
