import { checkChoice } from "../base/check-choice.ts";
import { SkillError } from "../base/errors.ts";
import { ALLOWED_TOOLS_POLICIES, type AllowedToolsPolicy, type PolicyEffect, TOOL_POLICIES } from "./decide-call.ts";
import type { ToolNames } from "./judged-call.ts";
import type { PathBases } from "./path-pattern.ts";

/** What `allowed-tools` does in a session. */
export interface ToolRules extends PathBases {
  readonly allowedTools?: AllowedToolsPolicy | undefined;
  readonly toolNames?: ToolNames | undefined;
}

/** What applies if nobody sets a policy. */
export const DEFAULT_POLICY: AllowedToolsPolicy = "log";

/** What the policy in effect does. */
export function effectOf({ allowedTools = DEFAULT_POLICY }: ToolRules): PolicyEffect {
  return TOOL_POLICIES[allowedTools];
}

/** Throws for a policy that does not exist: a misspelt one must not allow what it should deny. */
export function checkToolRules(rules: ToolRules): ToolRules {
  const { allowedTools = DEFAULT_POLICY, toolNames = {} } = rules;
  checkChoice("allowedTools", allowedTools, ALLOWED_TOOLS_POLICIES);
  if (Object.values(toolNames).some((name) => [name].flat().some((one) => typeof one !== "string")))
    throw new SkillError("option-invalid", "'toolNames' must be an object with names of your tools.");
  return rules;
}

/** Returns the strictest of these policies, or undefined if there is none. */
export function strictestOf(policies: readonly (AllowedToolsPolicy | undefined)[]): AllowedToolsPolicy | undefined {
  return STRICTEST_FIRST.find((policy) => policies.includes(policy));
}

const STRICTEST_FIRST = ALLOWED_TOOLS_POLICIES.toReversed();
