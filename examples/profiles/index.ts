import assert from "node:assert/strict";
import { join } from "node:path";

process.chdir(import.meta.dirname);
process.env.SKILLSET_CONFIG_HOME = join(import.meta.dirname, "user");

// #region program
import { createSkillset } from "skillset";

const writing = await createSkillset("./skills", { profile: true, onProblem: () => {} }); // the default profiles
const review = await createSkillset("./skills", { profile: "review" });

console.log(writing.names); // ["charts", "release"]
console.log(review.names); // ["release"]
for (const { code, message, path, line } of writing.problems) console.log(`${path}:${line}: ${message} [${code}]`);
// #endregion

assert.deepEqual(writing.names, ["charts", "release"]);
assert.deepEqual(review.names, ["release"]);
assert.deepEqual(
  writing.problems.map(({ code, line }) => [code, line]),
  [["profile-widens", 8]],
);
assert.equal((await createSkillset("./skills")).size, 3);
