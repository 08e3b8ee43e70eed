import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endWithTest } from "../../../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const PROGRAM = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/slow.sh": "echo $$; sleep 60 & wait\n",
  "tea/scripts/brew.sh": 'echo hot > "$OUTPUT_DIR/cup.txt"\n',
  "tea/scripts/endless.sh": "while true; do echo more; done\n",
};

const BROKEN = "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n";

/** Starts the command in a separate process with its own folder for temporary files. */
function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const cwd = temporaryFolder(FILES);
  const temporary = join(cwd, "tmp");
  mkdirSync(temporary);
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, "run", "./tea", ...argv], {
    cwd,
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithTest(child);
  return { temporary, child };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends the script and exits with %i, and nothing is left behind", async (signal, code) => {
  const { child, temporary } = start(["slow", "--runner", "subprocess", "--yes"]);
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([code, null]);
  expect(isRunning(Number(line))).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});

test("files stay after the process has ended, and only they", async () => {
  const { child, temporary } = start(["brew", "--runner", "subprocess", "--yes", "--json"]);
  const { folder } = JSON.parse(await text(child.stdout));
  expect(readFileSync(join(folder, "cup.txt"), "utf8")).toBe("hot\n");
  expect(readdirSync(temporary).map((name) => join(temporary, name))).toEqual([folder]);
});

test("a reader that closes the output ends the script", async () => {
  const { child } = start(["endless", "--runner", "subprocess", "--yes"]);
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test.skipIf(process.platform !== "linux")("a broken bubblewrap is reported loudly", async () => {
  const bin = join(temporaryFolder({ "bin/bwrap": BROKEN }), "bin");
  chmodSync(join(bin, "bwrap"), 0o755);
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const { child } = start(["brew", "--yes"], { PATH });
  const stderr = await text(child.stderr);
  expect(stderr).toMatch(/bubblewrap is installed but does not work|no sandbox works here\. bubblewrap: /);
  expect(stderr).not.toContain("(no sandbox)");
});

test("without a sandbox, the error says what to install, and nothing runs", async () => {
  const { child, temporary } = start(["brew", "--yes", "--minimum", "bubblewrap"], { PATH: "/nothing" });
  const stderr = text(child.stderr);
  expect(await once(child, "exit")).toEqual([125, null]);
  expect(await stderr).toMatch(/^Scripts are disabled: no sandbox works here\. bubblewrap: .*[Ii]nstall|Linux/);
  expect(readdirSync(temporary)).toEqual([]);
});
