import { resolve } from "node:path";
import { SkillError, SkillInstallationError } from "../../core/base/errors.ts";
import { messageOf } from "../../core/base/message-of.ts";
import { Pause } from "../files/pause.ts";
import { Installation } from "./installation.ts";

/** A skill to install: the text of its SKILL.md, or the place that it is copied from. */
export type InstallItem = InlineItem | FolderItem | FileItem;

interface InlineItem {
  readonly name: string;
  readonly source: "inline";
  /** The whole SKILL.md. */
  readonly content: string;
  /** The other files, by their path within the skill. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

interface FolderItem {
  readonly name: string;
  readonly source: "ref";
  readonly folder: string;
  /** What becomes of a link that leads out of the folder: an error, or a copy of what it leads to. */
  readonly symlinks?: "contained" | "follow";
  /** Called with the copy before it is moved into place; an error stops the installation. */
  readonly check?: (copy: string) => void | Promise<void>;
}

interface FileItem {
  readonly name: string;
  readonly source: "ref";
  /** A lone Markdown file, which becomes the skill's SKILL.md. */
  readonly file: string;
}

export interface InstallSkillsOptions {
  /** Whether the copies cannot be written to; so by default. */
  readonly readOnly?: boolean;
  /** Puts a skill in the place of one with its name, which is otherwise an error. */
  readonly replace?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Writes skills into the folder where an agent looks for them; gives the folder of each. They are written beside it
 * first and then moved into place, all or none: nobody ever sees half a skill, and a failure leaves nothing behind.
 */
export async function installSkills(
  skillsDir: string,
  skills: readonly InstallItem[],
  { readOnly = true, replace = false, signal }: InstallSkillsOptions = {},
): Promise<readonly string[]> {
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
    // The last chance to stop: from here on nothing waits.
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

/** A name becomes a folder: it must be one, and not a hidden one. */
function checkName(name: string, taken: Set<string>): void {
  if (/^$|^\.|[/\\\p{Cc}]/u.test(name) || Buffer.byteLength(name) > 255)
    throw new SkillError("option-invalid", "A folder cannot have this name.");
  if (taken.has(name)) throw new SkillError("skill-collision", "Two skills have this name.");
  taken.add(name);
}
