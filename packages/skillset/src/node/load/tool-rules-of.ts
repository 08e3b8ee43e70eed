import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import type { ToolNames } from "../../core/allowed-tools/judged-call.ts";
import { checkToolRules, type ToolRules } from "../../core/allowed-tools/tool-rules.ts";
import { Skillset } from "../../core/skillset.ts";
import type { CreateSkillsetOptions } from "./create-skillset.ts";
import type { SkillInput } from "./sources.ts";

/** Returns what `allowed-tools` does. A skillset made of others has the strictest of their policies. */
export function toolRulesOf(
  sources: readonly SkillInput[],
  { allowedTools, toolNames, cwd = "." }: CreateSkillsetOptions,
  ofProfile?: AllowedToolsPolicy,
): ToolRules {
  const inner = strictest(sources.filter((source) => source instanceof Skillset));
  const given = [allowedTools ?? inner.allowedTools, ofProfile];
  return checkToolRules({
    // A profile never weakens what the program sets.
    allowedTools: STRICTEST.find((policy) => given.includes(policy)) ?? given[0],
    toolNames: toolNames ?? inner.toolNames,
    cwd: resolve(cwd),
    home: homedir(),
  });
}

/** Returns the strictest policy of some skillsets, and all their names for tools. */
export function strictest(skillsets: readonly Skillset[]): Pick<CreateSkillsetOptions, "allowedTools" | "toolNames"> {
  const rules = skillsets.map((skillset) => skillset.toolRules);
  const allowedTools = STRICTEST.find((policy) => rules.some((one) => (one.allowedTools ?? "log") === policy));
  const toolNames: ToolNames = Object.assign({}, ...rules.map((one) => one.toolNames));
  return { toolNames, ...(allowedTools && { allowedTools }) };
}

const STRICTEST: readonly AllowedToolsPolicy[] = ["enforce", "log", "off"];
