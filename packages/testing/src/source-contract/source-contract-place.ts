import assert from "node:assert/strict";
import type { Skill, SkillInput, Skillset } from "skillset";
import { type CreateSkillsetOptions, createSkillset } from "skillset";

/** One behaviour that every source must have. */
export interface SourceScenario {
  /** A short id, which stays the same when the title is reworded. */
  readonly id: string;
  /** A sentence that is true of a source that passes. */
  readonly title: string;
  /** A capability that the scenario needs. A source without it has the reason in `lacks`. */
  readonly needs?: SourceCapability;
  /** Rejects with an `AssertionError` if the behaviour differs. */
  run(source: ContractSource): Promise<void>;
}

export type SourceCapability =
  /** The source can contain skills that violate the standard. */
  | "invalid-skills"
  /** Folders and files can have any name, even `../secret`. */
  | "hostile-paths"
  /** Files can exceed the library's size limit. */
  | "large-files"
  /** A place that fails at the first load is a problem, not an error. */
  | "first-failure"
  /** Reading one file can fail. */
  | "read-failure"
  /** `skillset.watch()` follows the place. */
  | "watch";

/** A kind of source under test. */
export interface ContractSource {
  readonly name: string;
  /**
   * Capabilities that the source lacks, each with the reason.
   * @default {}
   */
  readonly lacks?: Partial<Readonly<Record<SourceCapability, string>>>;
  /** Opens a place with these files. The first part of each path is a skill's folder: `tea/SKILL.md`. */
  open(files: ContractFiles): Promise<OpenedSource>;
}

export type ContractFiles = Readonly<Record<string, FileContent>>;

export type FileContent = string | Uint8Array;

/** A place with skills that a scenario can change and break. */
export interface OpenedSource {
  /** The input for `createSkillset`. */
  readonly input: SkillInput;
  /**
   * Returns the name under which a skill is loaded.
   * @default the name in its SKILL.md
   */
  nameOf?(skill: string): string;
  /** Writes a file, or removes it if there is no content. */
  write(path: string, content: FileContent | undefined): Promise<void>;
  /** Breaks the place, or repairs it. */
  setBroken(isBroken: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The tools of a scenario. */
export interface SourceAtWork {
  readonly place: OpenedSource;
  load(options?: CreateSkillsetOptions): Promise<Skillset>;
  /** Returns the skill with this name in its SKILL.md. */
  find(skillset: Skillset, name: string): Skill;
  nameOf(name: string): string;
}

/** Opens the place, and closes it after the work. */
export async function withSource(
  source: ContractSource,
  files: ContractFiles,
  work: (atWork: SourceAtWork) => Promise<void>,
): Promise<void> {
  const place = await source.open(files);
  const nameOf = (name: string): string => place.nameOf?.(name) ?? name;
  const find = (skillset: Skillset, name: string): Skill => {
    const found = skillset.get(nameOf(name));
    assert.ok(found, `'${nameOf(name)}' is not among ${skillset.names.join(", ")}.`);
    return found;
  };
  try {
    await work({ place, nameOf, find, load: (options) => createSkillset([place.input], options) });
  } finally {
    await place.close();
  }
}

/** Returns the text of a SKILL.md. */
export function skillMdOf(name: string, body = `Instructions of ${name}.\n`): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use when asked for ${name}.\n---\n\n${body}`;
}

export const TEA: ContractFiles = {
  "tea/SKILL.md": skillMdOf("tea", "Read references/kinds.md.\n"),
  "tea/references/kinds.md": "\ufeffGrün,\r\nschwarz.",
  "tea/assets/leaf.png": new Uint8Array([137, 80, 78, 71, 0, 255, 254]),
  "tea/empty.txt": "",
  "coffee/SKILL.md": skillMdOf("coffee"),
  "coffee/secret.md": "Of another skill.",
};
