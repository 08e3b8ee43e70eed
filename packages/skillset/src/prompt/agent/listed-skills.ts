import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../node/files/contained-read.ts";
import { type Prompt, paramsOf } from "../prompt.ts";
import { AgentSkillsSection } from "../section/agent-skills-section.ts";
import { findEnabled, findSections } from "../section/find-sections.ts";
import { joinSkills } from "../section/join-skills.ts";
import type { SkillMode } from "../section/section.ts";
import { WorkspaceSection } from "../workspace/workspace-section.ts";

/** Returns the workspaces of a prompt; the agent works in the first one. */
export function workspacesOf({ template }: Prompt): readonly WorkspaceSection[] {
  return findSections(template.sections, WorkspaceSection);
}

interface MountListedOptions {
  readonly warn: (message: string) => void;
  /** How the model loads the skills of sections that set no mode. */
  readonly mode?: SkillMode | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies the skills that a prompt lists by location to those locations, if the agent works in the prompt's workspace.
 * Other folders are never written to: skills that are missing there are reported.
 */
export async function mountListedSkills(
  prompt: Prompt,
  cwd: string,
  { warn, signal, mode = "files" }: MountListedOptions,
): Promise<void> {
  await prompt.checkRequirements({ signal });
  const { sections } = prompt.template;
  joinSkills(sections);
  const [workspace] = workspacesOf(prompt);
  const listing = findEnabled(sections, AgentSkillsSection, paramsOf(prompt));
  // Read before the first file is copied: meanwhile another prompt may use the same sections.
  const listed = listing.flatMap(({ section }) => (section.modeOr(mode) === "files" ? [section.mounts] : []));
  for (const mounts of listed) {
    if (workspace !== undefined && isWithin(workspace.tempDir, cwd))
      await workspace.mountSkills(mounts, { cwd, signal });
    else for (const { location } of mounts) if (!isListed(cwd, location)) warn(missing(location, cwd));
  }
}

function isListed(cwd: string, location: string): boolean {
  return existsSync(join(cwd, location, "SKILL.md"));
}

function missing(location: string, cwd: string): string {
  return `The prompt lists a skill at '${location}', but the agent's working folder '${cwd}' does not contain it. Add a WorkspaceSection to the prompt, or set 'mountPath' to where the skills are.`;
}
