import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";

export const searchSkills: OperationDefinition<"search_skills"> = {
  id: "search_skills",
  title: "Search skills",
  description:
    "Find skills for a task, also those that the list of skills leaves out. Describe the task in your words.",
  properties: () => ({
    query: { type: "string", description: "The task, or words of it" },
    limit: { type: "integer", minimum: 1, maximum: 20, description: "How many skills to return, 5 if omitted" },
  }),
  required: ["query"],
  readOnly: true,
  usesLoadedSkill: false,
  isOffered: (context) => context.omitsNames,
  rule: (name) => `Not every skill is listed: call \`${name}\` with the task in words to find the others.`,
  execute: async (context, input, { signal }) => {
    const query = stringArgument(input, "query");
    const { limit = 5 } = input;
    if (typeof limit !== "number") throw new SkillError("option-invalid", "'limit' must be a number.");
    const ranked = await context.skillset.rank?.(query, { limit, ...(signal && { signal }) });
    const skills = (ranked ?? [])
      .filter(({ skill, fit }) => skill.modelInvocable && fit >= DEFAULTS.fit)
      .map(({ skill: { name, description }, matched }) => ({ name, description, matched }));
    context.record({ type: "skills-searched", query, skills: skills.map(({ name }) => name) });
    if (skills.length === 0) return { text: "No skill fits.", data: { skills } };
    return { text: skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n"), data: { skills } };
  },
};
