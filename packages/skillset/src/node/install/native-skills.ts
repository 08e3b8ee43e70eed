import { statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { parseSkillMd } from "../../core/manifest/parse.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { partsOf, readAll } from "../../core/skill/skill-parts.ts";
import { decodeText } from "../../core/text/cut-text.ts";
import { readPart } from "../files/contained-read.ts";
import { loadNamed } from "../load/load-named.ts";
import { resolvePath, type SkillInput } from "../load/sources.ts";
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
  const items: InstallItem[] = [];
  const others: SkillInput[] = [];
  for (const source of list) {
    const file = singleFile(source, options.cwd);
    if (file === undefined) others.push(source);
    else items.push({ name: nameIn(file), source: "ref", file });
  }
  // The agent that uses the copy may have what this machine lacks.
  const { skills } = await loadNamed(others, { ...options, requirements: false });
  return [...items, ...(await Promise.all(skills.map((skill) => toItem(skill, options))))];
}

/** The absolute path of a source that is one Markdown file instead of a folder. */
function singleFile(source: SkillInput, cwd = process.cwd()): string | undefined {
  if (!(typeof source === "string" || source instanceof URL)) return undefined;
  const path = resolvePath(String(source), cwd);
  if (!/\.(?:md|markdown)$/i.test(path) || basename(path) === "SKILL.md") return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

function nameIn(file: string): string {
  const text = decodeText(readPart(dirname(file), basename(file), { maxBytes: LIMITS.hard.skillMd }), basename(file));
  const folder = basename(file, extname(file));
  return parseSkillMd(text, { policy: "standard", folder, path: file }).name;
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
