// Compiles the skills of a folder into a bundle and compares them with the folder: names, digests, catalogs,
// instructions and files. Without a folder, it generates 2,000 skills.
//   node scripts/compare-compiled-skills.ts [FOLDER]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareWithFolder, generateSkills } from "../packages/unplugin/src/testing/compare-with-folder.ts";

const [given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), "generated-skills-"));
try {
  if (given === undefined) generateSkills(folder, 2_000);
  const { differences, ...figures } = await compareWithFolder(folder, { recursive: true });
  console.table(figures);
  for (const difference of differences) console.error(`different: ${difference}`);
  console.log(differences.length === 0 ? "No differences." : `${differences.length} differences.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
