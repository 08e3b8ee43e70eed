// Only the skill loader's module: importing the whole package would add about a second.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, peers] = process.argv.slice(2);
const loader = resolve(peers, "node_modules/@google/gemini-cli-core/dist/src/skills/skillLoader.js");
const { loadSkillsFromDir } = await import(pathToFileURL(loader));
const skills = await loadSkillsFromDir(folder);
console.log(skills.length);
