import assert from "node:assert/strict";
// #region program
import { createSkillset } from "skillset";

const skills = await createSkillset([new URL("skills", import.meta.url)], {
  allowedTools: "enforce", // or "log", the default, or "off"
  toolNames: { Bash: "shell" }, // this program's name for the tool
  scripts: { runner: "auto" }, // the strongest sandbox that works on this machine
});
const session = await skills.session();
await session.activate("release-notes");

// In your own loop, before you run one of your tools. The adapters do this for you.
const log = session.checkTool("shell", { command: "git log --oneline" });
const push = session.checkTool("shell", { command: "git log && git push" });
console.log(log.allowed, push.allowed ? "" : push.message);

// The folder was named by this program and the skill lists the script, so nobody is asked.
const count = await session.scripts.run("release-notes", "scripts/count.mjs", { args: ["3"] });
console.log(count.outcome === "exited" && count.stdout);
console.log(session.ledger.entries.filter(({ type }) => type.startsWith("tool-")));
// #endregion
assert.equal(log.allowed, true);
assert.deepEqual(push, {
  allowed: false,
  skill: "release-notes",
  token: "Bash(git:*)",
  message:
    "This call of 'Bash' is not allowed while skill 'release-notes' is in use: its allowed-tools lack 'Bash(git:*)'.",
});
assert.equal(count.outcome === "exited" && count.stdout, "3 commits\n");
assert.deepEqual(
  session.ledger.entries.map(({ type }) => type).filter((type) => type.startsWith("tool-")),
  ["tool-denied", "tool-granted"],
);
