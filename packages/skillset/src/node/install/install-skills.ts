import { resolve } from "node:path";
import { SkillError, SkillInstallationError } from "../../core/base/errors.ts";
import { messageOf } from "../../core/base/message-of.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { describeValue } from "../../core/text/describe-value.ts";
import { Pause } from "../files/pause.ts";
import { Installation } from "./installation.ts";

/** A skill to install: the text of its SKILL.md, or the path to copy. */
export type InstallItem = InlineItem | FolderItem | FileItem;

interface InlineItem {
  readonly name: string;
  readonly source: "inline";
  /** The text of SKILL.md. */
  readonly content: string;
  /** The other files, by path within the skill. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

interface FolderItem {
  readonly name: string;
  readonly source: "ref";
  readonly folder: string;
  /**
   * How to handle a link that leaves the folder: `contained` throws, `follow` copies the target.
   * @default "contained"
   */
  readonly symlinks?: "contained" | "follow";
  /** Called with the copy before it is moved into place. An error stops the installation. */
  readonly check?: (copy: string) => void | Promise<void>;
}

interface FileItem {
  readonly name: string;
  readonly source: "ref";
  /** A single Markdown file, which becomes the skill's SKILL.md. */
  readonly file: string;
  /** Called with the copy before it is moved into place. An error stops the installation. */
  readonly check?: (copy: string) => void | Promise<void>;
}

/** Options of `installSkills`. */
export interface InstallSkillsOptions {
  /**
   * Makes the copies read-only.
   * @default true
   */
  readonly readOnly?: boolean;
  /**
   * Replaces an installed skill with the same name. Otherwise this is an error.
   * @default false
   */
  readonly replace?: boolean;
  /** Aborts the installation, which leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/**
 * Installs skills into an agent's skills folder. Returns the folder of each. Writes them beside it first and then moves
 * all or none into place, so that nobody sees half a skill and a failure leaves nothing behind.
 * @example
 * ```ts
 * import { installSkills } from "skillset/node";
 *
 * await installSkills("./.claude/skills", [{ name: "brew-tea", source: "ref", folder: "./skills/brew-tea" }]);
 * ```
 */
export async function installSkills(
  skillsDir: string,
  skills: readonly InstallItem[],
  options: InstallSkillsOptions = {},
): Promise<readonly string[]> {
  checkOptions("installSkills()", options, OPTIONS);
  const { readOnly = true, replace = false, signal } = options;
  if (typeof skillsDir !== "string") throw refuse("folder", "must be a path", skillsDir);
  if (!Array.isArray(skills)) throw refuse("skills", "must be an array", skills);
  for (const item of skills) checkItem(item);
  signal?.throwIfAborted();
  let [current] = skills;
  if (current === undefined) return [];
  const dir = resolve(skillsDir);
  const installation = new Installation(dir, { readOnly, replace });
  const pause = new Pause(signal, undefined);
  try {
    const names = new Set<string>();
    for (const item of skills) {
      current = item;
      checkName(item.name, names);
    }
    installation.open();
    for (const item of skills) {
      current = item;
      installation.checkFree(item.name);
      for (const _ of installation.write(item)) if (pause.isDue()) await pause.take(0);
      if ("check" in item) await item.check?.(installation.stagedFolder(item.name));
    }
    // The last point at which an abort takes effect: everything below is synchronous.
    await pause.take(names.size);
    for (const item of skills) {
      current = item;
      installation.finish(item.name);
    }
    return installation.publish((name) => {
      current = skills.find((item) => item.name === name) ?? current;
    });
  } catch (error) {
    const causes = [error, ...installation.undo()];
    if (signal?.aborted && error === signal.reason && causes.length === 1) throw error;
    const cause = causes.length === 1 ? error : new AggregateError(causes, causes.map(messageOf).join(" Besides: "));
    throw new SkillInstallationError(current.name, dir, current.source, cause);
  }
}

function refuse(what: string, rule: string, given: unknown): SkillError {
  return new SkillError("option-invalid", `The ${what} of installSkills() ${rule}, not ${describeValue(given)}.`);
}

function checkItem(item: InstallItem): void {
  const what = "A skill of installSkills()";
  checkOptions(what, item ?? null, ITEM_OPTIONS);
  const { content, folder, file } = item as Partial<InlineItem & FolderItem & FileItem>;
  if ([content, folder, file].some((one) => typeof one === "string")) return;
  throw new SkillError("option-invalid", `${what} requires 'content', 'folder' or 'file'.`);
}

/** The name becomes a folder, which must be valid and not hidden. */
function checkName(name: string, taken: Set<string>): void {
  if (/^$|^\.|[/\\\p{Cc}]/u.test(name) || Buffer.byteLength(name) > 255)
    throw new SkillError("option-invalid", "This is not a valid folder name.");
  if (taken.has(name)) throw new SkillError("skill-collision", "Two skills have this name.");
  taken.add(name);
}

const ITEM_OPTIONS: OptionTable<InstallItem> = {
  name: true,
  source: true,
  content: true,
  files: true,
  folder: true,
  symlinks: true,
  check: true,
  file: true,
};

const OPTIONS: OptionTable<InstallSkillsOptions> = {
  readOnly: true,
  replace: true,
  signal: true,
};
