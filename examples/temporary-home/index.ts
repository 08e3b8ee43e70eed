import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
// #region program
import { defineSkill } from "skillset";
import { createTemporaryHome } from "skillset/node";

const packing = fileURLToPath(new URL("./skills/packing", import.meta.url));
const maps = defineSkill({
  name: "maps",
  description: "Reads maps. Use for directions.",
  body: "# Maps\n\nNorth is up.",
});

async function listSkills(): Promise<string> {
  await using home = await createTemporaryHome({ agent: "claude", skills: [packing, maps] });
  // Any program works; with Claude: execFileSync("claude", ["-p", "…"], { env: home.env })
  return execFileSync("ls", [home.skillsDir], { env: home.env, encoding: "utf8" });
}

console.log(await listSkills()); // and the home is gone
// #endregion
assert.equal(await listSkills(), "maps\npacking\n");
const home = await createTemporaryHome({ agent: "claude", skills: [packing, maps] });
await home.close();
assert.equal(existsSync(home.home), false);
assert.deepEqual(home.installed, { inline: ["maps"], referenced: ["packing"] });
