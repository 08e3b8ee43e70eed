import { messageOf } from "../../../core/base/message-of.ts";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { KNOWN_VARIABLES } from "../../process/script-command.ts";
import { NOT_PERMITTED, type Sandbox } from "./sandbox.ts";
import { tryPromises } from "./try-promises.ts";

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

const SCRIPT = `
broken() { echo "$1"; }
[ "$(id -u)" -ne 0 ] || broken root
[ ! -e "$1" ] || broken files
{ true >/skill/new; } 2>/dev/null && broken skill
{ echo written >/output/new; } 2>/dev/null || broken output
while read -r name rest; do case "$name" in lo:*|*'|'*|face|Inter-) ;; *) broken network; esac; done </proc/net/dev
[ "$(wc -l </proc/net/route)" -le 1 ] || broken network
for name in $( { env; tr '\\0' '\\n' </proc/1/environ; } 2>/dev/null | sed 's/=.*//'); do
  case "$name" in ${KNOWN_VARIABLES.join("|")}) ;; *) broken environment; esac
done
[ "$(echo /proc/[0-9]* | wc -w)" -lt 10 ] || broken processes
echo tested
`;

function test(sandbox: Sandbox, run: (job: ScriptJob) => Promise<ScriptEnd>): Promise<string | undefined> {
  return tryPromises(sandbox.makeFolder(), { name: "check.sh", text: SCRIPT }, run, notStarted);
}

function notStarted(line: string): string {
  // Root starts the sandbox as another user.
  if (/source path /i.test(line) && /permission denied/i.test(line)) {
    return `the sandbox does not start: ${line} Set TMPDIR to a folder that other users may enter, such as /tmp.`;
  }
  if (line === NOT_PERMITTED) return `${line} Add it, or run the program as another user.`;
  const isDenied = /permission|permitted|uid map|namespace/i.test(line);
  const fix = isDenied
    ? "Allow user namespaces: on Ubuntu 24.04 and later with an AppArmor profile for bwrap, in Docker with a seccomp profile that allows them."
    : "Run 'bwrap --version' to see whether it works at all.";
  return `the sandbox does not start: ${line} ${fix}`;
}
