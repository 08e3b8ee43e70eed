import { SkillError } from "../../core/base/errors.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { partsOf, readAll } from "../../core/skill/skill-parts.ts";
import { loadNamed } from "../load/load-named.ts";
import type { SkillInput } from "../load/sources.ts";
import { TrustedSkill } from "../trust/trusted-skill.ts";
import type { InstallItem } from "./install-skills.ts";

export interface NativeSkillsOptions {
  /** Relative paths start here. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** What to install for skills from anywhere; throws for one that is missing, invalid, or no agent's to use natively. */
export async function toInstallItems(
  sources: SkillInput | readonly SkillInput[],
  options: NativeSkillsOptions = {},
): Promise<readonly InstallItem[]> {
  const list = (Array.isArray(sources) ? sources : [sources]) as readonly SkillInput[];
  const skillset = await loadNamed(list, options);
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
  if (skill.basePath !== undefined) {
    const item = { name, source: "ref", folder: skill.basePath } as const;
    return skill instanceof TrustedSkill ? { ...item, check: (copy) => skill.checkCopy(copy) } : item;
  }
  if (skill.isServed) {
    const message = `Skill '${name}' comes from the ${skill.provider} and has no folder to install: connect the agent to that server.`;
    throw new SkillError("option-invalid", message);
  }
  const reading = signal && { signal };
  const contents = await readAll(await partsOf(skill, reading), reading);
  const { "SKILL.md": manifest = new Uint8Array(), ...others } = Object.fromEntries(contents);
  return {
    name,
    source: "inline",
    content: new TextDecoder("utf-8", { ignoreBOM: true }).decode(manifest),
    files: others,
  };
}
