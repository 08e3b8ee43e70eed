import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../node/files/contained-read.ts";
import { type Prompt, paramsOf } from "../prompt/prompt.ts";
import { AgentSkillsSection } from "../prompt/section/agent-skills-section.ts";
import { findEnabled, findSections } from "../prompt/section/find-sections.ts";
import { ClaudeAgentWorkspaceSection } from "./workspace-section.ts";

/** Returns the workspaces of a prompt; the agent works in the first one. */
export function workspacesOf({ template }: Prompt): readonly ClaudeAgentWorkspaceSection[] {
  return findSections(template.sections, ClaudeAgentWorkspaceSection);
}

/**
 * Copies the skills that a prompt lists by location to those locations, if the agent works in the prompt's workspace.
 * Other folders are never written to: skills that are missing there are reported.
 */
export async function mountListedSkills(
  prompt: Prompt,
  cwd: string,
  { warn, signal }: { readonly warn: (message: string) => void; readonly signal?: AbortSignal },
): Promise<void> {
  const { sections } = prompt.template;
  for (const { key, problems } of findSections(sections, AgentSkillsSection)) {
    for (const { severity, message, fix = "" } of problems)
      if (severity === "warning") warn(`Section '${key}': ${message} ${fix}`.trim());
  }
  const [workspace] = workspacesOf(prompt);
  for (const { section } of findEnabled(sections, AgentSkillsSection, paramsOf(prompt))) {
    if (workspace !== undefined && isWithin(workspace.tempDir, cwd))
      await workspace.mountSkills(section.mounts, { cwd, signal });
    else for (const { location } of section.mounts) if (!isListed(cwd, location)) warn(missing(location, cwd));
  }
}

function isListed(cwd: string, location: string): boolean {
  return existsSync(join(cwd, location, "SKILL.md"));
}

function missing(location: string, cwd: string): string {
  return `The prompt lists a skill at '${location}', but the agent's working folder '${cwd}' does not contain it. Add a ClaudeAgentWorkspaceSection to the prompt, or set 'mountPath' to where the skills are.`;
}
