// The reference library reads one skill at a time and does not find skills.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, peers] = process.argv.slice(2);
const { readProperties } = await import(pathToFileURL(resolve(peers, "node_modules/skills-ref/dist/index.js")));
const skills = [];
for (const name of readdirSync(folder)) {
  try {
    skills.push(await readProperties(`${folder}/${name}`));
  } catch {
    // A skill that it rejects.
  }
}
console.log(skills.length);
