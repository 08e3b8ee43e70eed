import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyRealSkills } from "../../bench/copy-real-skills.ts";
import { generateSkills } from "../../packages/unplugin/src/testing/compare-with-folder.ts";
import { inRuntimes } from "./services.ts";

const COUNT = 2_000;

/**
 * Writes the folder that every bundler compiles in, and returns it. SKILLS_FILE names a file with real skills (see
 * bench/copy-real-skills.ts); without it, skills are generated.
 */
export function writeManySkills(file = process.env.SKILLS_FILE): string {
  const folder = inRuntimes(".out/many-skills");
  rmSync(folder, { recursive: true, force: true });
  if (file === undefined) generateSkills(folder, COUNT);
  else copyRealSkills(file, folder, COUNT);
  // Turbopack imports a file of the folder instead of the folder.
  writeFileSync(join(folder, "README.md"), "Many skills\n");
  return folder;
}
