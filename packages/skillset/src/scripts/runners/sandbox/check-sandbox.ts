import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../core/base/message-of.ts";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import type { Sandbox } from "./sandbox.ts";

/** Tests what the sandbox promises, with the profile that scripts run with. Returns what fails and how to repair it. */
export async function checkSandbox(
  sandbox: Sandbox,
  run: (job: ScriptJob) => Promise<ScriptEnd>,
): Promise<string | undefined> {
  try {
    const help = await sandbox.help();
    if (help === undefined) return "'bwrap --help' fails. Install bubblewrap again.";
    const lacking = ["--size", "--json-status-fd"].filter((option) => !help.includes(option));
    if (lacking.length > 0) return "this bubblewrap is too old. Install version 0.6 or later.";
    sandbox.extra = sandbox.extra.filter((option) => help.includes(option));
    const failure = await test(sandbox, run);
    if (failure === undefined || sandbox.extra.length === 0) return failure;
    // A bubblewrap with the setuid bit refuses --disable-userns.
    sandbox.extra = [];
    return (await test(sandbox, run)) === undefined ? undefined : failure;
  } catch (error) {
    return `the sandbox cannot be tested: ${messageOf(error)}`;
  }
}

/** Each line of the script's output is the name of a promise that it found broken. */
const SCRIPT = `
broken() { echo "$1"; }
[ "$(id -u)" -ne 0 ] || broken root
[ ! -e "$1" ] || broken files
{ true >/skill/new; } 2>/dev/null && broken skill
{ echo written >/output/new; } 2>/dev/null || broken output
while read -r name rest; do case "$name" in lo:*|*'|'*|face|Inter-) ;; *) broken network; esac; done </proc/net/dev
[ "$(wc -l </proc/net/route)" -le 1 ] || broken network
for name in $( { env; tr '\\0' '\\n' </proc/1/environ; } 2>/dev/null | sed 's/=.*//'); do
  case "$name" in PATH|HOME|TMPDIR|LANG|OUTPUT_DIR|SKILL_DIR|PWD|OLDPWD|SHLVL|_) ;; *) broken environment; esac
done
[ "$(echo /proc/[0-9]* | wc -w)" -lt 10 ] || broken processes
echo tested
`;

const PROMISES: Readonly<Record<string, string>> = {
  root: "scripts run as root",
  files: "scripts see files of this machine",
  skill: "scripts can change the skill",
  output: "scripts cannot write to the output folder",
  network: "scripts see the network",
  environment: "scripts see environment variables of this program",
  processes: "scripts see other processes",
};

async function test(sandbox: Sandbox, run: (job: ScriptJob) => Promise<ScriptEnd>): Promise<string | undefined> {
  const folder = sandbox.makeFolder();
  try {
    const [skillFolder, outputFolder, canary] = ["skill", "output", "canary"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [skillFolder, outputFolder]) mkdirSync(one);
    chmodSync(skillFolder, 0o755);
    writeFileSync(canary, randomBytes(8));
    chmodSync(canary, 0o644);
    writeFileSync(join(skillFolder, "check.sh"), SCRIPT);
    chmodSync(join(skillFolder, "check.sh"), 0o644);
    const end = await run({
      skillFolder,
      outputFolder,
      script: "check.sh",
      args: [canary],
      limits: { time: 20_000, output: 10_000, memory: 2 ** 28, processes: 32, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    if (end.outcome === "refused") return notStarted(end.reason);
    const lines = end.stdout.trim().split("\n");
    if (lines.at(-1) !== "tested") return `the test script did not finish: ${end.stderr.slice(0, 200)}`;
    const broken = lines.flatMap((line) => PROMISES[line] ?? []);
    if (broken.length > 0) return `it does not contain scripts: ${[...new Set(broken)].join(", ")}.`;
    const written = readFileSync(join(outputFolder, "new"), "utf8");
    return written === "written\n" ? undefined : "files that scripts write are lost.";
  } finally {
    removeOwnedFolder(folder);
  }
}

function notStarted(line: string): string {
  // Root starts the sandbox as another user.
  if (/source path .*permission denied/i.test(line)) {
    return `the sandbox does not start: ${line} Set TMPDIR to a folder that other users may enter, such as /tmp.`;
  }
  const isDenied = /permission|permitted|uid map|namespace/i.test(line);
  const fix = isDenied
    ? "Allow user namespaces: on Ubuntu 24.04 and later with an AppArmor profile for bwrap, in Docker with a seccomp profile that allows them."
    : "Run 'bwrap --version' to see whether it works at all.";
  return `the sandbox does not start: ${line} ${fix}`;
}
