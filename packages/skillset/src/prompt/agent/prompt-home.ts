import { type HomeOptions, type HomeWith, makeHome } from "../../node/install/temporary-home.ts";
import type { InstallAllSkillsOptions } from "../install-prompt-skills.ts";
import type { Prompt } from "../prompt.ts";

interface PromptHomeOptions extends HomeOptions, Omit<InstallAllSkillsOptions, "skillsDir"> {
  /** Whether the skills that the agent can load itself are installed. If not, all skills stay in the prompt. */
  readonly installSkills: boolean;
}

/** A temporary home, and the names of the installed skills. */
export type PromptHome = HomeWith<readonly string[]>;

/** Creates a temporary home with the skills of a prompt that its agent can load itself. */
export function createPromptHome(
  prompt: Prompt,
  { installSkills, agent, keep, env, signal, ...events }: PromptHomeOptions,
): Promise<PromptHome> {
  return makeHome({ agent, env, signal, ...(keep && { keep }) }, async () => async (skillsDir) => {
    if (!installSkills) return [];
    return (await prompt.installAllSkills({ ...events, signal, skillsDir })).names;
  });
}
