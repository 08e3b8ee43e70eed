import { SkillError } from "../../core/base/errors.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { partsOf, readAll } from "../../core/skill/skill-parts.ts";
import { loadNamed } from "../load/load-named.ts";
import type { SkillInput } from "../load/sources.ts";
import { TrustedSkill } from "../trust/trusted-skill.ts";
import type { InstallItem } from "./install-skills.ts";

export interface NativeSkillsOptions {
  /**
   * The base of relative paths.
   * @default process.cwd()
   */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** Converts skills of any origin to install items. Throws if one is missing, invalid, or cannot be installed. */
export async function toInstallItems(
  sources: SkillInput | readonly SkillInput[],
  options: NativeSkillsOptions = {},
): Promise<readonly InstallItem[]> {
  const list = (Array.isArray(sources) ? sources : [sources]) as readonly SkillInput[];
  // The agent that uses the copy may have what this machine lacks.
  const skillset = await loadNamed(list, { ...options, requirements: false });
  return Promise.all(skillset.skills.map((skill) => toItem(skill, options)));
}

/** Converts one skill. */
export async function toItem(skill: Skill, { signal }: NativeSkillsOptions = {}): Promise<InstallItem> {
  const { name } = skill;
  if (skill.tools.length > 0) {
    const tools = skill.tools.map((tool) => tool.name).join(", ");
    const message = `Skill '${name}' has tools (${tools}), which an agent cannot call from a file. Serve it over MCP, or leave it out.`;
    throw new SkillError("option-invalid", message);
  }
  if (skill.basePath !== undefined) {
    const item = { name, source: "ref", folder: skill.basePath } as const;
    return skill instanceof TrustedSkill ? { ...item, check: (copy) => skill.checkCopy(copy) } : item;
  }
  if (skill.isServed) {
    const message = `Skill '${name}' comes from the ${skill.provider} and has no folder to install. Connect the agent to that server.`;
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
