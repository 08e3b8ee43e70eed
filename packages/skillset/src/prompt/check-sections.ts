import { SkillError } from "../core/base/errors.ts";
import { AgentSkillsSection } from "./section/agent-skills-section.ts";
import { findEnabled, findSections } from "./section/find-sections.ts";
import type { AnyParams, Section } from "./section/section.ts";
import { WorkspaceSection } from "./workspace/workspace-section.ts";

/** Reports what was found while loading listed skills, such as links that are not followed. */
export function reportProblems(sections: readonly Section[], onWarning: (message: string) => void = warnOnce): void {
  // Not only enabled sections: one whose skills were all skipped is not.
  for (const { key, problems } of findSections(sections, AgentSkillsSection)) {
    for (const { severity, message, fix = "" } of problems)
      if (severity === "warning") onWarning(`Section '${key}': ${message} ${fix}`.trim());
  }
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
