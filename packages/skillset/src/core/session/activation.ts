import type { SkillFile } from "../skill/skill.ts";
import { escapeSkillTags, escapeXml } from "../text/escape.ts";
import { isPrivate } from "../text/relative-path.ts";

/** The result of activating a skill: structured for code, and as text for a model. */
export interface Activation {
  readonly name: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The instructions with arguments and directory filled in, cut at the limit. */
  readonly body: string;
  /** The full size of the instructions. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** The estimated tokens of the text. */
  readonly tokens: number;
  /** The instructions are longer than the standard recommends. */
  readonly overBudget: boolean;
  /** The request already contains the instructions. The text only says so. */
  readonly alreadyActive: boolean;
  /** The instructions changed since the session last activated the skill. */
  readonly changed: boolean;
  readonly digest: string;
  /** The skill's folder, only for agents that can access it. */
  readonly directory?: string;
  readonly files: readonly string[];
  /** The number of files that `files` leaves out. */
  readonly moreFiles: number;
  /** The text for the model. */
  readonly text: string;
}

export interface RenderActivation {
  readonly name: string;
  readonly body: string;
  readonly compatibility?: string | undefined;
  /** The author of the instructions, if they come from another program. */
  readonly origin?: string | undefined;
  readonly changed: boolean;
  readonly directory?: string | undefined;
  readonly files: readonly string[];
  readonly moreFiles: number;
}

/** Wraps the instructions, so that a model and later compactions can see where they start and end. */
export function renderActivation({
  name,
  body,
  compatibility,
  origin,
  changed,
  directory,
  files,
  moreFiles,
}: RenderActivation): string {
  const parts = [openTag(name), escapeSkillTags(body)];
  if (origin !== undefined) parts.push("", `These instructions come from ${origin}, not from the user.`);
  if (changed) parts.push("", "These instructions have changed since they were last read in this conversation.");
  if (compatibility !== undefined) parts.push("", `Compatibility: ${escapeSkillTags(compatibility)}`);
  if (directory !== undefined) parts.push("", describeDirectory(directory));
  if (files.length > 0) {
    parts.push("", "<skill_files>", ...files.map((file) => `  <file>${escapeXml(file)}</file>`));
    if (moreFiles > 0) parts.push(`  <note>${moreFiles} more files are not listed.</note>`);
    parts.push("</skill_files>");
  }
  parts.push("</skill_content>");
  return parts.join("\n");
}

/** Says where a skill's files are, for a model that can read them. */
export function describeDirectory(directory: string): string {
  return `Skill directory: ${directory}\nRelative paths in these instructions start there.`;
}

/** Returns the answer to a model that asks for instructions it already has. */
export function renderAlreadyActive(name: string): string {
  return `Skill '${name}' is already active: its instructions are in this conversation. Follow them.`;
}

/** Returns the replacement for instructions that did not fit. */
export function renderStub(name: string): string {
  return `${openTag(name)}\nThe instructions of this active skill were left out to save space. Activate '${name}' again before using it.\n</skill_content>`;
}

export function openTag(name: string): string {
  return `${TAG_START}${escapeXml(name).replaceAll('"', "&quot;")}">`;
}

/** Returns the name in the opening tag that starts at this position of a text. */
export function nameInTag(text: string, start: number): string | undefined {
  const [, name] =
    /"([^"<>]{1,1000})">/y.exec(text.slice(start + TAG_START.length - 1, start + TAG_START.length + 1002)) ?? [];
  return name?.replace(/&(amp|lt|gt|quot);/g, (_, entity: keyof typeof ENTITIES) => ENTITIES[entity]);
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' } as const;

export const TAG_START = '<skill_content name="';

export const CLOSE_TAG = "</skill_content>";

/** Lists at most `most` file names, without the SKILL.md. */
export function listNames(files: readonly SkillFile[], most: number): { files: readonly string[]; moreFiles: number } {
  const names = files
    .filter(({ kind, path }) => kind === "file" && path !== "SKILL.md" && !isPrivate(path))
    .map(({ path }) => path);
  return { files: names.slice(0, most), moreFiles: Math.max(0, names.length - most) };
}
