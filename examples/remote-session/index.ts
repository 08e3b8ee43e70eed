import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import { createSkillset } from "skillset";
import { remote } from "skillset/scripts";

const machine = await createJustBashSandbox().createSession(); // or that of Vercel, E2B, Daytona
const runner = remote(machine, { name: "just-bash" });
const skills = await createSkillset(["./skills"], { scripts: { runner, consent: () => "always" } });

const session = await skills.session();
const result = await session.scripts.run("word-count", "scripts/count.sh", { args: ["Tea isn't $(cold)."] });
console.log(result.level, result.outcome === "exited" && result.json); // remote:just-bash { words: 3 }
console.log(await session.scripts.outputs.list()); // text.txt came back

await runner.close(); // removes what was sent
// #endregion

assert.partialDeepStrictEqual(result, {
  outcome: "exited",
  exitCode: 0,
  json: { words: 3 },
  level: "remote:just-bash",
});
assert.equal(new TextDecoder().decode(await session.scripts.outputs.read("text.txt")), "Tea isn't $(cold).\n");
