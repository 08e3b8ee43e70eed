import { SkillError, SkillValidationError } from "../core/errors.ts";
import { toSkillMd } from "../core/serialise.ts";
import { isStored, type Skill } from "../core/skill.ts";
import { createSkillset } from "./create-skillset.ts";
import type { InstallItem } from "./install-skills.ts";
import type { SkillSource } from "./sources.ts";

export interface NativeSkillsOptions {
  /** Relative paths start here. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** What to install for skills from anywhere; throws for one that is missing, invalid, or no agent's to use natively. */
export async function toInstallItems(
  sources: SkillSource | readonly SkillSource[],
  options: NativeSkillsOptions = {},
): Promise<readonly InstallItem[]> {
  const list = (Array.isArray(sources) ? sources : [sources]) as readonly SkillSource[];
  const named = list.map((source) => (isPath(source) ? loadPath(source, options) : source));
  const skillset = await createSkillset(await Promise.all(named), { ...options, collisions: "error" });
  return Promise.all(skillset.skills.map((skill) => toItem(skill, options)));
}

/** How one skill is installed. */
export async function toItem(skill: Skill, { signal }: NativeSkillsOptions = {}): Promise<InstallItem> {
  const { name } = skill;
  if (skill.tools.length > 0) {
    const tools = skill.tools.map((tool) => tool.name).join(", ");
    const message = `Skill '${name}' has tools (${tools}), which an agent cannot call from a file: serve it over MCP, or leave it out.`;
    throw new SkillError("option-invalid", message);
  }
  if (isStored(skill)) {
    // Reading tells whether a skill that had to be trusted is still what was trusted.
    return { name, source: "ref", folder: skill.basePath, check: () => skill.instructions() };
  }
  if (skill.origin.kind === "mcp") {
    const message = `Skill '${name}' comes from the MCP server '${skill.origin.server}' and has no folder to install: connect the agent to that server.`;
    throw new SkillError("option-invalid", message);
  }
  const body = await skill.instructions(signal && { signal });
  return { name, source: "inline", content: toSkillMd({ ...skill, body }) };
}

function isPath(source: SkillSource): source is string | URL {
  return typeof source === "string" || source instanceof URL;
}

/** What somebody names is meant: it must be there, and be a skill. */
async function loadPath(path: string | URL, options: NativeSkillsOptions) {
  const skillset = await createSkillset(path, options);
  const errors = skillset.problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) {
    const place = first.path === undefined ? String(path) : `${first.path}:${first.line ?? 1}`;
    throw new SkillValidationError(`The skill at ${place} is invalid: ${first.message}`, errors);
  }
  if (skillset.size === 0)
    throw new SkillError("source-not-found", `There is no skill at ${path}: it has no SKILL.md, nor have its folders.`);
  return skillset;
}
