import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Each line of the file (.jsonl or .jsonl.gz) is `{ "dir": …, "text": … }`: a folder's name and the text of its SKILL.md. */
export function readRealSkills(file: string): { dir: string; text: string }[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as { dir: string; text: string });
}

/**
 * Fills `folder` with `count` skills and returns it. Copies get a suffix in the names of both folder and skill, so that
 * they have the problems of the original, and no collisions.
 */
export function copyRealSkills(file: string, folder: string, count: number): string {
  const skills = readRealSkills(file);
  rmSync(folder, { recursive: true, force: true });
  for (let index = 0; index < count; index++) {
    const { dir, text } = skills[index % skills.length] ?? { dir: "", text: "" };
    const copy = Math.floor(index / skills.length);
    const suffix = copy === 0 ? "" : `-c${copy}`;
    mkdirSync(join(folder, dir + suffix), { recursive: true });
    writeFileSync(join(folder, dir + suffix, "SKILL.md"), text.replace(NAME, `$1$2$3${suffix}$2$4`));
  }
  return folder;
}

const NAME = /^(name:[ \t]*)(["']?)([^"'\r\n]*?)\2([ \t]*\r?)$/m;
