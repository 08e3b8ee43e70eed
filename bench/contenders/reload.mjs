// Reloads without changes, compared with reading every file again in the same process; prints both in milliseconds.
import { readdirSync, readFileSync } from "node:fs";
import { createSkillset } from "skillset";

const [folder] = process.argv.slice(2);
const skills = await createSkillset([folder]);
const reload = [];
const rawRead = [];
for (let round = 0; round < 3; round++) {
  rawRead.push(await time(readAll));
  reload.push(await time(() => skills.reload()));
}
console.log(JSON.stringify({ reload: middle(reload), rawRead: middle(rawRead) }));

function readAll() {
  for (const name of readdirSync(folder)) readFileSync(`${folder}/${name}/SKILL.md`, "utf8");
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function middle(times) {
  return times.sort((a, b) => a - b)[1];
}
