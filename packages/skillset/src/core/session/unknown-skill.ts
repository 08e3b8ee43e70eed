import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { describeFailure, type LoadedToolsets } from "./load-toolsets.ts";
import { nearestNames } from "./nearest-names.ts";

/** Lists the nearest names, or all of a few, so that a model can choose again. Leaves out hidden skills. */
export function unknownSkill(unknown: string, skills: readonly Skill[]): SkillError {
  const name = unknown.slice(0, LIMITS.shown.nameCharacters);
  const all = skills.filter(({ modelInvocable }) => modelInvocable).map((skill) => skill.name);
  const nearest = nearestNames(name, all, LIMITS.shown.nearestNames);
  return new SkillError("skill-not-found", `Unknown skill '${name}'${namesInstead(all, nearest)}`);
}

function namesInstead(all: readonly string[], nearest: readonly string[]): string {
  if (all.length <= LIMITS.shown.names) {
    const names = [...new Set([...nearest, ...all])];
    return `. Available: ${names.join(", ") || "none"}.`;
  }
  if (nearest.length === 0) return `: none of the ${all.length} skills has a similar name.`;
  const [only] = nearest;
  return nearest.length === 1 ? `. Did you mean '${only}'?` : `. Nearest names: ${nearest.join(", ")}.`;
}

/** Lists the tools that the skill has. */
export function unknownTool(skill: Skill, tool: string, { tools, failures }: LoadedToolsets): SkillError {
  const shown = tool.slice(0, LIMITS.shown.nameCharacters);
  const names = [...skill.tools, ...tools].map(({ name }) => name).join(", ");
  if (names === "" && failures[0] !== undefined) return new SkillError("tool-not-found", describeFailure(failures[0]));
  if (names === "")
    return new SkillError("tool-not-found", `Skill '${skill.name}' has no tools, so '${shown}' cannot be called.`);
  return new SkillError("tool-not-found", `Skill '${skill.name}' has no tool '${shown}'. Its tools: ${names}.`);
}
