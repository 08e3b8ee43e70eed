import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createSkillset, defineSkill } from "skillset";

const style = defineSkill({ name: "style", description: "How our reports are written.", body: "Short sentences." });
const skills = await createSkillset(["./skills", style], {
  env: ["TEAM_PAGE_TOKEN"], // what this program supplies to skills
  onProblem: () => {},
});

console.log(skills.names); // ["publish", "style"]
for (const entry of skills.entries) {
  if (entry.status !== "unavailable") continue;
  for (const { reason, fix } of entry.unmet) console.log(`${entry.name}: ${reason}. ${fix}`);
}
// #endregion

assert.deepEqual(skills.names, ["publish", "style"]);
const [hidden] = skills.entries.filter(({ status }) => status === "unavailable");
assert.equal(hidden?.name, "read-pdf");
assert.equal(
  skills.problems[0]?.message,
  "'read-pdf' is unavailable: the command 'no-such-pdf-program' is not on PATH.",
);
const without = await createSkillset("./skills", { env: ["TEAM_PAGE_TOKEN"], onProblem: () => {} });
assert.deepEqual(without.names, []);
