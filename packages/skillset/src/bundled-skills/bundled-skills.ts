import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Skill } from "../core/skill/skill.ts";

/** Replaces the path of the bundled skills if their folder is missing. The loader then reads the copy in the code. */
export const INLINED_SKILLS = "skillset:bundled-skills";

/** The folder of the skills that come with the library. In a bundled program, `INLINED_SKILLS`. */
export const BUNDLED_SKILLS: string = findFolder() ?? INLINED_SKILLS;

/** Returns the copy of the bundled skills. Loaded on demand: it is large, and only bundled programs need it. */
export async function loadInlined(): Promise<readonly Skill[]> {
  return (await import("./inlined-skills.ts")).inlinedSkills;
}

/** In a bundle, this folder belongs to another package, so the name in `package.json` decides. */
function findFolder(): string | undefined {
  try {
    // Bundlers treat `new URL("…", import.meta.url)` as an asset, and fail on a folder.
    const folder = join(dirname(fileURLToPath(import.meta.url)), "../..");
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name?: unknown };
    return name === "skillset" ? join(folder, "skills") : undefined;
  } catch {
    return undefined;
  }
}
