import { SkillError } from "../base/errors.ts";
import type { SetSettings } from "../set/set-settings.ts";
import type { Skill, SkillLookup } from "../skill/skill.ts";
import type { SkillEntry } from "../source/select.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { escapeSkillTags } from "../text/escape.ts";
import type { Activation } from "./activation.ts";
import { disclose } from "./disclose.ts";
import { NO_TOOLSETS } from "./load-toolsets.ts";
import type { FileContent, FileReading, SessionLimits } from "./options.ts";
import { readText, readWhole } from "./read-file.ts";
import { readSettings } from "./settings.ts";
import { unknownSkill } from "./unknown-skill.ts";

export interface PreviewOptions {
  /** Overrides single limits. */
  readonly limits?: Partial<SessionLimits>;
  /** The words after the skill's name, for `$ARGUMENTS` and the other placeholders. */
  readonly arguments?: string;
  /** The digest of the instructions that the reader has. `changed` is true if they differ. */
  readonly since?: string;
  /**
   * Allows locked skills, for the person who decides whether to trust them.
   * @default false
   */
  readonly locked?: boolean;
  /** Aborts the preview. */
  readonly signal?: AbortSignal;
}

/** The result of activating a skill, without a session. */
export interface SkillPreview extends Omit<Activation, "alreadyActive"> {
  readonly skill: Skill;
  /** Reads one of the skill's files, with a session's limits. */
  read(path: string, options?: { readonly signal?: AbortSignal }): Promise<PreviewReading>;
  /** Reads one of the skill's files with all of its bytes. */
  readFile(path: string, options?: { readonly signal?: AbortSignal }): Promise<FileContent>;
}

/** A skill's file. `text` is what a model receives. */
export interface PreviewReading extends FileReading {
  readonly text: string;
}

/** Skills with every entry that was found, including disabled and locked ones. */
interface FoundSkills extends SkillLookup {
  readonly settings: SetSettings;
  readonly entries: readonly SkillEntry[];
}

/** Previews a skill, even a disabled one. The public API is `skillset.preview()`. */
export async function previewSkill(
  skillset: FoundSkills,
  name: string,
  options: PreviewOptions,
): Promise<SkillPreview> {
  checkOptions("preview()", options, OPTIONS);
  const { locked = false, arguments: words, since, signal } = options;
  const skill = findSkill(skillset, name, locked);
  const { limits, countTokens } = readSettings({ limits: options.limits ?? {} });
  const disclosed = await disclose(skill, {
    toolsets: NO_TOOLSETS,
    arguments: words,
    signal,
    request: [],
    known: since,
    given: [],
    showDirectory: false,
    maxBytes: limits.skillMdBytes,
    maxFiles: limits.listedFiles,
    countTokens,
  });
  const { alreadyActive: _alreadyActive, ...activation } = disclosed;
  const reading = (signal: AbortSignal | undefined) => ({ hasInstructions: true, limits, signal });
  return {
    ...activation,
    skill,
    read: async (path, { signal } = {}) => {
      const file = await readText(skill, path, reading(signal));
      return { ...file, text: escapeSkillTags(file.content) };
    },
    readFile: (path, { signal } = {}) => readWhole(skill, path, reading(signal)),
  };
}

function findSkill({ entries, skills }: FoundSkills, name: string, locked: boolean): Skill {
  const named = entries.filter((entry) => entry.name === name);
  const entry = named.find(({ status }) => status === "enabled") ?? named.find(({ status }) => status !== "shadowed");
  if (entry === undefined || entry.status === "invalid") throw unknownSkill(name, skills);
  if (entry.status === "locked" && !locked)
    throw new SkillError("skill-locked", `Skill '${name}' is locked. Run 'skillset trust' to allow it.`);
  return entry.skill;
}

const OPTIONS: OptionTable<PreviewOptions> = {
  limits: true,
  arguments: true,
  since: true,
  locked: true,
  signal: true,
};
