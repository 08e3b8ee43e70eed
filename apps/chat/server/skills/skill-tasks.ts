import type { Skill } from "skillset";

/** How many tasks the page shows, and how long each may be. */
const MOST = 3;
const LONGEST = 500;

/** The prompts in a skill's `evals/evals.json`: tasks that fit it, in its author's words. */
export async function skillTasks(skill: Skill): Promise<readonly string[]> {
  try {
    const files = await skill.files.list();
    if (!files.some(({ path }) => path === PATH)) return [];
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await skill.files.read(PATH));
    const { evals } = JSON.parse(text) as { evals?: unknown };
    if (!Array.isArray(evals)) return [];
    const tasks = evals.flatMap(({ prompt }: { prompt?: unknown }) =>
      typeof prompt === "string" && prompt.trim() !== "" && prompt.length <= LONGEST ? [prompt.trim()] : [],
    );
    return [...new Set(tasks)].slice(0, MOST);
  } catch {
    // They are a help; a skill works without them.
    return [];
  }
}

const PATH = "evals/evals.json";
