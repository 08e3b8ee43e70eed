import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { ToolNames } from "../allowed-tools/judged-call.ts";
import type { PathBases } from "../allowed-tools/path-pattern.ts";
import { checkToolRules, type ToolRules } from "../allowed-tools/tool-rules.ts";
import type { Skillset } from "../skillset.ts";
import type { LoadOptions } from "./load-options.ts";

/** Returns what `allowed-tools` does. A skillset made of others has the strictest of all policies. */
export function toolRulesOf(
  skillsets: readonly Skillset[],
  { allowedTools, toolNames }: LoadOptions,
  bases: PathBases,
  ofProfile?: AllowedToolsPolicy,
): ToolRules {
  // Throws for a policy that does not exist, before another one replaces it.
  checkToolRules({ allowedTools, toolNames });
  const inner = strictest(skillsets);
  // Next to a policy of the program, only those that were set count, and not the default of the others.
  const ofInner =
    allowedTools === undefined ? [inner.allowedTools] : skillsets.map((one) => one.toolRules.allowedTools);
  // Neither the program nor a profile weakens what one of the skillsets sets.
  const given = [allowedTools, ofProfile, ...ofInner];
  return checkToolRules({
    allowedTools: STRICTEST.find((policy) => given.includes(policy)),
    toolNames: { ...inner.toolNames, ...toolNames },
    ...bases,
  });
}

/** Returns the strictest policy of some skillsets, and all their names for tools. */
function strictest(skillsets: readonly Skillset[]): Pick<LoadOptions, "allowedTools" | "toolNames"> {
  const rules = skillsets.map((skillset) => skillset.toolRules);
  const isSet = rules.some((one) => one.allowedTools !== undefined);
  const allowedTools = STRICTEST.find((policy) => isSet && rules.some((one) => (one.allowedTools ?? "log") === policy));
  const toolNames: ToolNames = Object.assign({}, ...rules.map((one) => one.toolNames));
  return { toolNames, ...(allowedTools && { allowedTools }) };
}

const STRICTEST: readonly AllowedToolsPolicy[] = ["enforce", "log", "off"];
