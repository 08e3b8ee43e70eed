import { globSync } from "node:fs";

/** Says how to load the skills in `skills`, which is read only if the settings name it. */
export function describeUnread(project: string): string | undefined {
  if (globSync("skills/*/SKILL.md", { cwd: project }).length === 0) return undefined;
  return `The skills in 'skills' are not loaded. To load them, add "./skills" to 'app.skills.directories' in the settings: '--print-config' prints the default settings, and '--config FILE' uses yours.`;
}
