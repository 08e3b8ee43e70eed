// Only the skill loader's module, with one folder and without the user's own.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, peers] = process.argv.slice(2);
const loader = resolve(peers, "node_modules/@earendil-works/pi-coding-agent/dist/core/skills.js");
const { loadSkills } = await import(pathToFileURL(loader));
const { skills } = loadSkills({ cwd: folder, agentDir: folder, skillPaths: [folder], includeDefaults: false });
console.log(skills.length);
