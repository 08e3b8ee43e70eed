// Limit (i): reads and decodes every SKILL.md in full, without parsing it.
import { readdirSync, readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
let count = 0;
for (const name of readdirSync(folder)) {
  readFileSync(`${folder}/${name}/SKILL.md`, "utf8");
  count++;
}
console.log(count);
