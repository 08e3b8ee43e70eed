import type { SkillFile } from "../skill/skill.ts";
import { escapeSkillTags, escapeXml } from "../text/escape.ts";
import { isPrivate } from "../text/relative-path.ts";

/** What activating a skill gives: structured for code, and as text for a model. */
export interface Activation {
  readonly name: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The instructions, with arguments and directory filled in, cut when they are over the limit. */
  readonly body: string;
  /** How long the instructions are, whole. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** An estimate of what the text costs. */
  readonly tokens: number;
  /** The instructions are longer than the standard recommends. */
  readonly overBudget: boolean;
  /** The instructions are in this request already; the text only says so. */
  readonly alreadyActive: boolean;
  /** They are not what they were when the conversation activated the skill before. */
  readonly changed: boolean;
  readonly digest: string;
  /** Only where the agent can use it. */
  readonly directory?: string;
  readonly files: readonly string[];
  /** How many more files there are than `files` names. */
  readonly moreFiles: number;
  /** What a model is given. */
  readonly text: string;
}

export interface RenderActivation {
  readonly name: string;
  readonly body: string;
  readonly compatibility?: string | undefined;
  /** Whose words these are, when they are another program's. */
  readonly origin?: string | undefined;
  readonly changed: boolean;
  readonly directory?: string | undefined;
  readonly files: readonly string[];
  readonly moreFiles: number;
}

/** The instructions in a wrapper that tells a model, and the next compaction, where they start and end. */
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
  if (directory !== undefined)
    parts.push("", `Skill directory: ${directory}`, "Relative paths in these instructions start there.");
  if (files.length > 0) {
    parts.push("", "<skill_files>", ...files.map((file) => `  <file>${escapeXml(file)}</file>`));
    if (moreFiles > 0) parts.push(`  <note>${moreFiles} more files are not listed.</note>`);
    parts.push("</skill_files>");
  }
  parts.push("</skill_content>");
  return parts.join("\n");
}

/** What a model is told when it asks for instructions that it has. */
export function renderAlreadyActive(name: string): string {
  return `Skill '${name}' is already active: its instructions are in this conversation. Follow them.`;
}

/** What stands for instructions that did not fit. */
export function renderStub(name: string): string {
  return `${openTag(name)}\nThe instructions of this active skill were left out to save space. Activate '${name}' again before using it.\n</skill_content>`;
}

export function openTag(name: string): string {
  return `<skill_content name="${escapeXml(name).replaceAll('"', "&quot;")}">`;
}

export const CLOSE_TAG = "</skill_content>";

/** Names of files, with the skill's own SKILL.md left out, at most so many. */
export function listNames(files: readonly SkillFile[], most: number): { files: readonly string[]; moreFiles: number } {
  const names = files
    .filter(({ kind, path }) => kind === "file" && path !== "SKILL.md" && !isPrivate(path))
    .map(({ path }) => path);
  return { files: names.slice(0, most), moreFiles: Math.max(0, names.length - most) };
}
