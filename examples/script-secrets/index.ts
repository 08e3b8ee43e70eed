import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createSkillset } from "skillset";

const vault = new Map([["SIGNING_KEY", "k-4f8a1c92e7d0"]]); // read it from your vault or environment

const skills = await createSkillset(["./skills"], {
  env: [...vault.keys()], // skills that name other variables are unavailable
  scripts: {
    consent: ({ skill, env = [] }) => {
      console.log(`${skill} gets ${env.join(", ")}`); // sign-text gets SIGNING_KEY
      return "once";
    },
    secrets: ({ names }) => Object.fromEntries(names.map((name) => [name, vault.get(name) ?? ""])),
  },
});
const session = await skills.session();
const result = await session.scripts.run("sign-text", "scripts/sign.mjs", { args: ["Tea is ready."] });

if (result.outcome === "exited") console.log(result.json, result.stderr); // { signature: "…" } Signing with [SIGNING_KEY]
// #endregion

assert(result.outcome === "exited");
assert.match(String((result.json as { signature: string }).signature), /^[0-9a-f]{64}$/);
assert.equal(result.stderr, "Signing with [SIGNING_KEY]\n");
