import { SkillError } from "../base/errors.ts";

/** A path as it is within a skill, with forward slashes and without dots; throws when it is absolute or climbs out. */
export function normaliseRelative(path: string): string {
  if (path.includes("\0")) throw new SkillError("resource-outside-skill", "A path must not contain a NUL character.");
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) {
    throw new SkillError("resource-outside-skill", "Path must be relative to the skill.");
  }
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) {
      throw new SkillError("resource-outside-skill", "Path traversal is not allowed.");
    }
  }
  return parts.join("/") || ".";
}

/** Files that lie in a folder by accident and hold secrets: no skill means a model to read them. */
export function isPrivate(path: string): boolean {
  // Some file systems ignore case.
  const parts = path.toLowerCase().split("/");
  if (parts.some((part) => PRIVATE_FOLDERS.has(part))) return true;
  return /^(?:\.env(?!.*(?:example|sample|template|dist)$)(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials)$/.test(
    parts.at(-1) ?? "",
  );
}

const PRIVATE_FOLDERS: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".ssh", ".aws", ".gnupg"]);
