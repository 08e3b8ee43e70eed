import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import { checkToolRules, type ToolRules } from "../../core/allowed-tools/tool-rules.ts";
import { Skillset } from "../../core/skillset.ts";
import type { CreateSkillsetOptions } from "./create-skillset.ts";
import type { SkillInput } from "./sources.ts";

/** Returns what `allowed-tools` does. A skillset made of others has the strictest of their policies. */
export function toolRulesOf(
  sources: readonly SkillInput[],
  { allowedTools, toolNames, cwd = "." }: CreateSkillsetOptions,
): ToolRules {
  const inner = sources.filter((source) => source instanceof Skillset).map((source) => source.toolRules);
  const policies = inner.map((rules) => rules.allowedTools ?? "log");
  return checkToolRules({
    allowedTools: allowedTools ?? STRICTEST.find((policy) => policies.includes(policy)),
    toolNames: toolNames ?? Object.assign({}, ...inner.map((rules) => rules.toolNames)),
    cwd: resolve(cwd),
    home: homedir(),
  });
}

const STRICTEST: readonly AllowedToolsPolicy[] = ["enforce", "log", "off"];
