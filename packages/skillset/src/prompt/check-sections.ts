import { SkillError } from "../core/base/errors.ts";
import { findEnabled, findSections } from "./section/find-sections.ts";
import { AgentSkillsSection } from "./section/node-only.ts";
import type { AnyParams, Section } from "./section/section.ts";
import { SkillsSection } from "./section/skills-section.ts";
import { WorkspaceSection } from "./workspace/workspace-section.ts";

/** Reports what was found while loading skills, such as links that are not followed and requirements that are not met. */
export function reportProblems(sections: readonly Section[], onWarning: (message: string) => void = warnOnce): void {
  // Not only enabled sections: one whose skills were all skipped is not.
  const listing = [...findSections(sections, AgentSkillsSection), ...findSections(sections, SkillsSection)];
  for (const { key, problems } of listing) {
    for (const { severity, message, fix = "" } of problems)
      if (severity === "warning") onWarning(`Section '${key}': ${message} ${fix}`.trim());
  }
}

/** Looks up what constructors of sections cannot: Python and packages that skills require. */
export async function checkRequirements(sections: readonly Section[], signal: AbortSignal | undefined): Promise<void> {
  const listing = [...findSections(sections, AgentSkillsSection), ...findSections(sections, SkillsSection)];
  await Promise.all(listing.map((section) => section.checkRequirements({ signal })));
}

/** A program may evaluate one prompt many times. */
function warnOnce(message: string): void {
  if (WARNED.has(message)) return;
  if (WARNED.size < MAX_WARNED) WARNED.add(message);
  process.emitWarning(message);
}

const WARNED = new Set<string>();
const MAX_WARNED = 1_000;

/** Throws if the text would name a working folder that the model does not have. */
export function refuseWorkspaces(sections: readonly Section[], params: AnyParams): void {
  const [found] = findEnabled(sections, WorkspaceSection, params);
  if (found === undefined) return;
  throw new SkillError(
    "option-invalid",
    `The prompt has a workspace, the section '${found.path}', but a model without an agent cannot read files. ` +
      "Evaluate the prompt with an agent, or remove the section.",
  );
}
