import type { Skillset } from "../../core/skillset.ts";
import { isWithin } from "../../node/files/contained-read.ts";
import { realPath } from "../../node/files/real-path.ts";
import { standardFolders } from "../../node/load/sources.ts";
import { countSkills, drain, notRead } from "../../node/load/unread-skills.ts";
import type { Io } from "../terminal/io.ts";
import { lockedHint } from "../terminal/locked-hint.ts";
import { printable } from "../terminal/printable.ts";
import { shownAdvice } from "../terminal/shown-advice.ts";
import { originOf, whyAbsent } from "./found-skill.ts";

/** Explains why there is no skill of that name: it was found but cannot be used, or skills are elsewhere. */
export function whyNotFound(skillset: Skillset, name: string, paths: readonly string[], io: Io): string {
  return whyAbsent(skillset, name) || ` ${skillsElsewhere(skillset, paths, io)}`.trimEnd();
}

/** Explains why a command has no skill to use: they are locked, or elsewhere. */
export function whyNone(skillset: Skillset, paths: readonly string[], io: Io): string {
  return lockedHint(skillset) + skillsElsewhere(skillset, paths, io);
}

/** Says where the skills are that a command did not load. Empty if it loaded all of them. */
export function skillsElsewhere(skillset: Skillset, paths: readonly string[], io: Io): string {
  const unread = skillset.problems.find(({ code }) => code === "skills-not-read");
  const deeper = unread === undefined ? "" : `${shownAdvice(`${unread.message} ${unread.fix ?? ""}`, io)}\n`;
  return deeper + besidesStandard(skillset, paths, io);
}

/**
 * Counts the skills below the working directory that are not in a standard folder: many repositories keep most of them
 * elsewhere. Empty if paths were given.
 */
export function besidesStandard({ entries }: Skillset, paths: readonly string[], { cwd, home }: Io): string {
  if (paths.length > 0) return "";
  const here = realPath(cwd);
  const standard = standardFolders({ cwd, home }).map(({ path }) => realPath(path));
  // Skills in a standard folder that were not loaded are problems of that folder.
  if (standard.some((folder) => isWithin(folder, here))) return "";
  const loaded = entries.map(originOf).flatMap((origin) => (origin.kind === "folder" ? origin.folder : []));
  const known = new Set([...standard, ...loaded]);
  const found = drain(countSkills([here], (folder) => known.has(folder)));
  if (found.count === 0) return "";
  const message = notRead(found, here, " below this folder", "not in a standard folder");
  return `${printable(message)}. Pass ${found.count === 1 ? "its folder" : "their folders"}, or run 'skillset list . --recursive'.\n`;
}
