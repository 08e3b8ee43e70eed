import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
// #region program
import { createSkillset } from "skillset";

const folder = fileURLToPath(new URL("./skills", import.meta.url));
const lenient = await createSkillset([folder]); // repairs what it can, and reports it
const strict = await createSkillset([folder], { policy: "strict" }); // refuses every deviation

for (const { path, line, column, message, fix } of lenient.problems) {
  console.log(`${path}:${line}:${column}: ${message}\n  ${fix}`);
}
console.log(`${lenient.size} loaded, ${strict.size} pass the strict check`);
// #endregion
assert.deepEqual(lenient.names, ["pdf-forms"]);
assert.equal(lenient.get("pdf-forms")?.description, "Fills PDF forms. Use when: a form must be filled in.");
assert.deepEqual(
  lenient.problems.map(({ code, line }) => [code, line]),
  [["frontmatter-repaired", 3]],
);
assert.equal(strict.size, 0);
