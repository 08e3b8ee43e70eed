import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createSkillset } from "skillset";

const skills = await createSkillset(["./skills"], {
  scripts: {
    runner: "auto", // the strongest sandbox that works on this machine
    consent: ({ skill, digest, script, level }) => {
      console.log(`${skill} (${digest.slice(0, 19)}) runs ${script} in ${level}`);
      return "always"; // ask a person here; "deny" refuses
    },
  },
});
const session = await skills.session();
const result = await session.scripts.run("word-count", "scripts/count.sh", { args: ["Tea is ready."] });

if (result.outcome === "exited") console.log(result.exitCode, result.json); // 0 { words: 3 }
const [file] = result.files; // { path: "text.txt", size: 14 }
if (file !== undefined) console.log(new TextDecoder().decode(await session.scripts.outputs.read(file.path)));
// #endregion

assert.partialDeepStrictEqual(result, { outcome: "exited", exitCode: 0, json: { words: 3 } });
assert.deepEqual(result.files, [{ path: "text.txt", size: 14 }]);
assert.notEqual(result.level, "subprocess");
