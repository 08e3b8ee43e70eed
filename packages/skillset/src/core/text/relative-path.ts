import { SkillError } from "../base/errors.ts";

/** Normalizes a path within a skill: forward slashes, no dots. Throws if it is absolute or leaves the skill. */
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

/** Whether a file is likely to be in the folder by accident and to contain secrets. Models must not read it. */
export function isPrivate(path: string): boolean {
  // Some file systems ignore case.
  const parts = path.toLowerCase().split("/");
  if (parts.some((part) => PRIVATE_FOLDERS.has(part))) return true;
  return /^(?:\.env(?!.*(?:example|sample|template|dist)$)(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials)$/.test(
    parts.at(-1) ?? "",
  );
}

const PRIVATE_FOLDERS: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".ssh", ".aws", ".gnupg"]);
