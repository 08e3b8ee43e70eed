import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../../packages/skillset/src/core/manifest/policy.ts";

/** How many skills there are to measure: each folder adds to those before. */
export const SIZES = [100, 1_000, 10_000, 50_000] as const;

/**
 * Writes public skills to folders, and returns them: the first has 100 skills, the first two together 1,000, and so on.
 * When all are written, they are written again with other words, so that the vocabulary grows as that of real ones does.
 */
export function writePublicSkills(archive: string, folder: string): readonly string[] {
  const folders = SIZES.map((size) => join(folder, String(size)));
  const marker = join(folder, "complete");
  const identity = JSON.stringify({ archive, version: 2 });
  if (readIfPresent(marker) === identity) return folders;
  for (const part of folders) rmSync(part, { recursive: true, force: true });
  const skills = readSkills(archive);
  let written = 0;
  for (const [at, size] of SIZES.entries()) {
    for (; written < size; written++) {
      const { name, description, body } = skills[written % skills.length] as PublicSkill;
      const copy = Math.floor(written / skills.length);
      const unique = `${name}-${written}`;
      const texts = [description, body].map((text) => vary(text, copy));
      const place = join(folders[at] as string, unique);
      mkdirSync(place, { recursive: true });
      const head = `---\nname: ${unique}\ndescription: ${JSON.stringify(texts[0])}\n---\n\n`;
      writeFileSync(join(place, "SKILL.md"), head + texts[1]);
    }
  }
  writeFileSync(marker, identity);
  return folders;
}

type PublicSkill = { readonly name: string; readonly description: string; readonly body: string };

function readSkills(archive: string): PublicSkill[] {
  const lines = gunzipSync(readFileSync(archive)).toString("utf8").trim().split("\n");
  return lines.map((line) => {
    const { dir, text } = JSON.parse(line) as { dir: string; text: string };
    const { manifest, body } = readSkillMd(text, { policy: resolvePolicy(), folder: dir });
    const { name, description } = manifest ?? { name: dir, description: dir };
    const usable =
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 50) || "skill";
    return { name: usable, description: description.slice(0, 1_024), body: manifest === undefined ? text : body };
  });
}

/** Replaces a third of the longer words by others, the same ones throughout a copy. */
function vary(text: string, copy: number): string {
  if (copy === 0) return text;
  return text.replace(/[A-Za-z]{7,}/g, (word) => {
    let hash = copy;
    for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) >>> 0;
    return hash % 3 === 0 ? `${word.slice(0, 5)}${hash.toString(36).slice(0, 3)}` : word;
  });
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
