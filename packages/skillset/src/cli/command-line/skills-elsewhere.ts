import type { Skillset } from "../../core/skillset.ts";
import { NOTHING_IGNORED } from "../../node/files/ignored-folders.ts";
import { countSkills, drain, notRead } from "../../node/load/unread-skills.ts";
import type { Io } from "../terminal/io.ts";
import { printable } from "../terminal/printable.ts";
import { shownAdvice } from "../terminal/shown-advice.ts";
import { originOf, whyAbsent } from "./found-skill.ts";

/** Explains why there is no skill of that name: it was found but cannot be used, or skills are elsewhere. */
export function whyNotFound(skillset: Skillset, name: string, paths: readonly string[], io: Io): string {
  return whyAbsent(skillset, name) || ` ${skillsElsewhere(skillset, paths, io)}`.trimEnd();
}

/** Says where the skills are that a command did not load, in one line. Empty if it loaded all of them. */
export function skillsElsewhere(skillset: Skillset, paths: readonly string[], io: Io): string {
  const unread = skillset.problems.find(({ code }) => code === "skills-not-read");
  if (unread === undefined) return besidesStandard(skillset, paths, io);
  return `${shownAdvice(`${unread.message} ${unread.fix ?? ""}`, io)}\n`;
}

/**
 * Counts the skills below the working directory if no standard folder of the project has any: many repositories keep
 * them elsewhere. Empty if paths were given.
 */
export function besidesStandard({ entries }: Skillset, paths: readonly string[], { cwd }: Io): string {
  if (paths.length > 0 || entries.some((entry) => isInProject(originOf(entry)))) return "";
  const found = drain(countSkills([cwd], NOTHING_IGNORED));
  if (found.count === 0) return "";
  const message = notRead(found, cwd, " below this folder", "not in a standard folder");
  return `${printable(message)}. Pass their folders, or run 'skillset list . --recursive'.\n`;
}

function isInProject(origin: ReturnType<typeof originOf>): boolean {
  return origin.kind === "folder" && origin.scope === "project";
}
