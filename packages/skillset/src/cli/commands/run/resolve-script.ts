import { SkillError } from "../../../core/base/errors.ts";
import { isScriptPath } from "../../../core/script/is-script.ts";
import type { SkillFile } from "../../../core/skill/skill.ts";
import { nearestWord } from "../../../core/text/nearest-word.ts";
import { normaliseRelative } from "../../../core/text/relative-path.ts";

/** Finds the script that somebody means: its path, or the end of its path, with or without the extension. */
export function resolveScript(skill: string, given: string, files: readonly SkillFile[]): string {
  const wanted = normaliseRelative(given);
  const paths = files.filter(({ kind }) => kind === "file").map(({ path }) => path);
  const exact = [wanted, `scripts/${wanted}`].find((path) => paths.includes(path));
  if (exact !== undefined) return exact;
  const scripts = paths.filter(isScriptPath);
  const meant = scripts.filter((path) => endsWith(path, wanted) || endsWith(withoutExtension(path), wanted));
  if (meant[0] !== undefined && meant.length === 1) return meant[0];
  if (meant.length > 1)
    throw new SkillError("resource-not-found", `'${wanted}' can be ${meant.join(" or ")}. Write the whole path.`);
  throw new SkillError("resource-not-found", `Skill '${skill}' has no script '${wanted}'.${hintFor(wanted, scripts)}`);
}

function endsWith(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}

function hintFor(wanted: string, scripts: readonly string[]): string {
  if (scripts.length === 0) return " It has no scripts.";
  const spellings = new Map(scripts.flatMap((path) => namesOf(path).map((name) => [name, path])));
  const near = spellings.get(nearestWord(wanted, [...spellings.keys()]) ?? "");
  const guess = near === undefined ? "" : ` Did you mean '${near}'?`;
  return `${guess} Its scripts: ${scripts.join(", ")}.`;
}

function namesOf(path: string): readonly string[] {
  const name = path.replace(/^.*\//, "");
  return [path, withoutExtension(path), name, withoutExtension(name)];
}
