import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

// The other machine is another process here. See README.md for two machines.
process.chdir(import.meta.dirname);
const token = crypto.randomUUID();
const env = { ...process.env, RUNNER_TOKEN: token, PORT: "0", MINIMUM: "embedded" };
const service = spawn(process.execPath, ["server.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
const [line] = (await once(service.stdout.setEncoding("utf8"), "data")) as [string];
console.log(line.trim());
const [, sandbox = "", url = ""] = /^Runs scripts in (\S+) at (\S+)/.exec(line) ?? [];

// #region program
import { createSkillset } from "skillset";
import { httpRunner } from "./http-runner.ts";

const skills = await createSkillset(["./skills"], {
  scripts: { runner: httpRunner({ url, token, level: sandbox }), consent: () => "always" },
});
const session = await skills.session();
const result = await session.scripts.run("word-count", "scripts/count.sh", { args: ["Tea is ready."] });

console.log(result.outcome, result.level, result.outcome === "exited" && result.json); // exited bubblewrap { words: 3 }
console.log(result.files); // [ { path: "text.txt", size: 14 } ]
// #endregion

assert.partialDeepStrictEqual(result, { outcome: "exited", exitCode: 0, json: { words: 3 }, level: sandbox });
assert.deepEqual(result.files, [{ path: "text.txt", size: 14 }]);
assert.equal(new TextDecoder().decode(await session.scripts.outputs.read("text.txt")), "Tea is ready.\n");
assert.match((await httpRunner({ url, token: "wrong" }).check()) ?? "", /status 401/);
service.kill("SIGTERM");
assert.deepEqual(await once(service, "exit"), [0, null]);
