import { describeDirectory } from "../../core/session/activation.ts";
import { walkListed } from "../../node/skill-folder/folder-files.ts";

/** Adds to a skill's instructions where its folder is, if they may name other files in it. */
export function withDirectory(instructions: string, folder: string): string {
  return hasFile(folder, isNotSkillMd) ? `${instructions.trimEnd()}\n\n${describeDirectory(folder)}` : instructions;
}

/** Whether a folder contains a file that is wanted. */
export function hasFile(folder: string, isWanted: (path: string) => boolean): boolean {
  for (const { kind, path } of walkListed(folder)) if (kind === "file" && isWanted(path)) return true;
  return false;
}

export function isNotSkillMd(path: string): boolean {
  return path !== "SKILL.md";
}
