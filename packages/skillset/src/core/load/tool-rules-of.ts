import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { ToolNames } from "../allowed-tools/judged-call.ts";
import type { PathBases } from "../allowed-tools/path-pattern.ts";
import { checkToolRules, type ToolRules } from "../allowed-tools/tool-rules.ts";
import { Skillset } from "../skillset.ts";
import type { LoadOptions } from "./load-options.ts";
import type { SkillInput } from "./skill-input.ts";

/** Returns what `allowed-tools` does. A skillset made of others has the strictest of their policies. */
export function toolRulesOf(
  sources: readonly SkillInput[],
  { allowedTools, toolNames }: LoadOptions,
  bases: PathBases,
  ofProfile?: AllowedToolsPolicy,
): ToolRules {
  const inner = strictest(sources.filter((source) => source instanceof Skillset));
  const given = [allowedTools ?? inner.allowedTools, ofProfile];
  return checkToolRules({
    // A profile never weakens what the program sets.
    allowedTools: STRICTEST.find((policy) => given.includes(policy)) ?? given[0],
    toolNames: toolNames ?? inner.toolNames,
    ...bases,
  });
}

/** Returns the strictest policy of some skillsets, and all their names for tools. */
export function strictest(skillsets: readonly Skillset[]): Pick<LoadOptions, "allowedTools" | "toolNames"> {
  const rules = skillsets.map((skillset) => skillset.toolRules);
  const allowedTools = STRICTEST.find((policy) => rules.some((one) => (one.allowedTools ?? "log") === policy));
  const toolNames: ToolNames = Object.assign({}, ...rules.map((one) => one.toolNames));
  return { toolNames, ...(allowedTools && { allowedTools }) };
}

const STRICTEST: readonly AllowedToolsPolicy[] = ["enforce", "log", "off"];
