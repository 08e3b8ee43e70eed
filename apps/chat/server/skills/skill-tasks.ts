import type { Skill } from "skillset";
import type { SkillTask } from "../../shared/skills-api.ts";

/** How many tasks the page shows, how long each may be, and how large their file. */
const MOST = 3;
const LONGEST = 500;
const LARGEST_BYTES = 200_000;

/** The prompts in a skill's `evals/evals.json`: tasks that fit it, in its author's words. */
export async function skillTasks(skill: Skill): Promise<readonly SkillTask[]> {
  try {
    const bytes = await skill.files.read("evals/evals.json");
    if (bytes.length > LARGEST_BYTES) return [];
    const { evals } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as { evals?: unknown };
    if (!Array.isArray(evals)) return [];
    const tasks = new Map(evals.flatMap(toTask).map((task) => [task.text, task]));
    return [...tasks.values()].slice(0, MOST);
  } catch {
    // They are a help; a skill works without them.
    return [];
  }
}

function toTask({ prompt, files }: { readonly prompt?: unknown; readonly files?: unknown }): readonly SkillTask[] {
  if (typeof prompt !== "string" || prompt.trim() === "" || prompt.length > LONGEST) return [];
  return [{ text: prompt.trim(), ...(Array.isArray(files) && files.length > 0 && { needsFile: true }) }];
}
