import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";

const PROGRAM = new URL("program.ts", import.meta.url).href;

/** Runs the program as the package does, in a folder that somebody else may have written. */
function runIn(folder: string, ...given: readonly string[]) {
  const code = `(await import("${PROGRAM}")).runProgram(process.argv.slice(1), { folder: process.cwd() })`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code, "--", ...given], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: temporaryFolder(), PORT: "0" },
    encoding: "utf8",
  });
  return { status, lines: stderr.trim().split("\n") };
}

// A start that other machines could reach ends after the settings are read.
const WITHOUT_TOKEN = ["--host", "0.0.0.0"];
const REFUSED = "Other machines can reach '0.0.0.0'. Set ADMIN_TOKEN to an admin token first.";
const HINT = "The settings in config.toml are not used. To use them, start with '--config config.toml'.";

test("S16: settings in the folder are used only if the command line names them", () => {
  // A stranger's settings would set the variable with the token.
  const folder = temporaryFolder({ "config.toml": "[admin]\ntoken_env = 'PATH'\n[server]\nport = -1\n" });
  expect(runIn(folder, ...WITHOUT_TOKEN)).toEqual({ status: 1, lines: [HINT, "Reading the settings…", REFUSED] });
  const { lines } = runIn(folder, ...WITHOUT_TOKEN, "--config", "config.toml");
  expect(lines).toEqual(["Reading the settings…", expect.stringMatching(/config\.toml:4: 'server\.port' must be/)]);
});

test("S16: a data folder that came with the files is used only if the command line names it", () => {
  // The database is damaged, so a start that uses it ends with another message.
  const folder = temporaryFolder({ ".skillset/chat/postgres/PG_VERSION": "17\n" });
  const refused = `${folder}/.skillset/chat was not created by you on this machine. Delete it, or start with '--data .skillset/chat' to use it.`;
  expect(runIn(folder)).toEqual({ status: 1, lines: ["Reading the settings…", refused] });
  expect(runIn(folder, "--data", ".skillset/chat").lines.at(-1)).toContain("chat/postgres cannot be opened");
});
