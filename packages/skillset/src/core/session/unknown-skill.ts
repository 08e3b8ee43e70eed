import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { nearestWords } from "../text/nearest-word.ts";
import { describeFailure, type LoadedToolsets } from "./load-toolsets.ts";

/** Lists the available names, nearest first, so that a model can choose again. Leaves out hidden skills. */
export function unknownSkill(unknown: string, skills: readonly Skill[]): SkillError {
  const name = unknown.slice(0, LIMITS.shown.nameCharacters);
  const all = skills.filter(({ modelInvocable }) => modelInvocable).map((skill) => skill.name);
  const names = [...new Set([...nearestWords(name, all), ...all])];
  const shown = names.slice(0, LIMITS.shown.names).join(", ");
  const more = names.length > LIMITS.shown.names ? `, and ${names.length - LIMITS.shown.names} more` : "";
  return new SkillError("skill-not-found", `Unknown skill '${name}'. Available: ${shown || "none"}${more}.`);
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
