// Counts how many real skills load: `npx node bench/real-skills.ts FILE`, with a FILE as in `bench/copy-real-skills.ts`.
import { readSkillMd } from "../packages/skillset/src/core/manifest/parse.ts";
import { type PolicyName, resolvePolicy } from "../packages/skillset/src/core/manifest/policy.ts";
import { readRealSkills } from "./copy-real-skills.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Name a .jsonl or .jsonl.gz file with one { dir, text } per line.");
const skills = readRealSkills(file);

const policies: PolicyName[] = ["lenient", "standard", "reference", "strict"];
const withFrontmatter = skills.filter(({ text }) => /^\ufeff?---[ \t]*\r?\n/.test(text));
console.log(`${skills.length} skills, ${withFrontmatter.length} with frontmatter\n`);
console.log("| policy | accepted | of those with frontmatter |\n| --- | ---: | ---: |");
for (const name of policies) {
  const policy = resolvePolicy({ policy: name });
  const accepted = withFrontmatter.filter(({ dir, text }) => readSkillMd(text, { policy, folder: dir }).manifest);
  console.log(`| ${name} | ${accepted.length} | ${((100 * accepted.length) / withFrontmatter.length).toFixed(2)} % |`);
}

const counts = new Map<string, number>();
for (const { dir, text } of skills) {
  for (const { code, severity } of readSkillMd(text, { policy: resolvePolicy(), folder: dir }).problems) {
    const key = `${severity} ${code}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
console.log("\n| problem when lenient | count |\n| --- | ---: |");
for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`| ${key} | ${count} |`);
