import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveRegistry } from "./registry/serve.ts";

process.chdir(import.meta.dirname);
const registry = await serveRegistry();
const folder = mkdtempSync(join(tmpdir(), "packages-"));
chmodSync(folder, 0o711); // root runs the sandbox as another user
const packages = { npmRegistry: registry.address, folder };

// #region program
import { createSkillset } from "skillset";

const skills = await createSkillset(["./skills"], {
  scripts: {
    runner: "bubblewrap",
    packages, // optional: other registries, or another folder
    consent: ({ skill, packages }) => {
      if (packages) console.log(`${skill} needs ${packages.npm} from ${packages.npmRegistry}`); // loud@^1.0.0
      return "once"; // ask a person here; "deny" refuses
    },
  },
});
const session = await skills.session();
const prepared = await session.scripts.prepare("shout-text", { onOutput: ({ text }) => process.stderr.write(text) });
if ("reason" in prepared) throw new Error(prepared.reason);
console.log(prepared.outcome); // installed; the next time: unchanged

const result = await session.scripts.run("shout-text", "scripts/shout.mjs", { args: ["Tea is ready"] });
if (result.outcome === "exited") console.log(result.json); // { text: "TEA IS READY!" }
// #endregion

assert.equal(prepared.outcome, "installed");
assert.partialDeepStrictEqual(result, { outcome: "exited", exitCode: 0, json: { text: "TEA IS READY!" } });
assert.equal((await session.scripts.prepare("shout-text")).outcome, "unchanged");
registry.close();
rmSync(folder, { recursive: true, force: true });
