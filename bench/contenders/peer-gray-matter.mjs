// gray-matter only reads frontmatter; the loop around it is the shortest that finds skills.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, peers] = process.argv.slice(2);
const matter = createRequire(resolve(peers, "package.json"))("gray-matter");
const skills = [];
for (const name of readdirSync(folder)) {
  try {
    const { data } = matter(readFileSync(`${folder}/${name}/SKILL.md`, "utf8"));
    if (data.name && data.description) skills.push(data);
  } catch {
    // Frontmatter that is not YAML.
  }
}
console.log(skills.length);
