import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { endWithHost } from "../../process/end-with-host.ts";
import { findInterpreters } from "../../process/find-interpreter.ts";
import { quote } from "../../process/quote.ts";
import { runProcess } from "../../process/run-process.ts";
import { type ScriptFolders, scriptEnvironment, withLimits } from "../../process/script-command.ts";
import { fileRules } from "./file-rules.ts";
import { launcherText } from "./launcher.ts";
import { withoutSharedFolder } from "./shared-folder.ts";
import { type RuntimePackage, wrapCommand } from "./wrap-command.ts";

/** A command to run in the sandbox. */
export interface RuntimeJob extends Pick<ScriptJob, "stdin" | "env" | "limits" | "signal" | "onOutput"> {
  readonly runtime: RuntimePackage;
  readonly command: readonly string[];
  /** Paths without links. `temporary` is a private folder, of which the script sees one subfolder. */
  readonly folders: ScriptFolders;
  /** Paths that the command must be able to read. */
  readonly reads: readonly string[];
  readonly allowedDomains: readonly string[];
}

const PATH =
  process.platform === "darwin" ? "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin" : "/usr/local/bin:/usr/bin:/bin";

/** The processes of the sandbox itself, and with a network those that pass connections on. */
const OWN_PROCESSES = 6;
const NETWORK_PROCESSES = 16;

const OPEN_FILES = 256;

/** Runs a command in the sandbox. Refuses it with the last line of the sandbox if that does not start. */
export async function runWrapped({
  runtime,
  command,
  folders,
  reads,
  allowedDomains,
  ...job
}: RuntimeJob): Promise<ScriptEnd> {
  const { temporary } = folders;
  const hasNetwork = allowedDomains.length > 0;
  const own = { ...folders, temporary: join(temporary, "tmp") };
  // Short, because the path of a socket in it has at most 107 characters.
  const [bridge, launcher] = [join(temporary, "b"), join(temporary, "launch.sh")];
  // The runtime does not quote that path.
  if (hasNetwork && /[^\w./-]/.test(bridge))
    throw new Error("with a network, TMPDIR must be a path of letters, digits, '.', '_', '-' and '/'.");
  for (const folder of [own.temporary, bridge]) mkdirSync(folder, { mode: 0o700 });
  const env = scriptEnvironment(PATH, own, job.env);
  const { files, processes } = job.limits;
  const limits = { files, processes, open: OPEN_FILES };
  writeFileSync(launcher, launcherText({ command: withLimits(command, limits), env, hasNetwork }), { mode: 0o400 });
  const [node] = await findInterpreters("javascript");
  const wrapped = await wrapCommand({
    runtime,
    node: node?.program ?? "node",
    command: `exec /bin/sh ${quote(launcher)}`,
    files: fileRules({
      reads: [
        folders.skill,
        launcher,
        join(realpathSync(runtime.folder), "vendor"),
        ...reads,
        ...(hasNetwork ? [bridge] : []),
      ],
      writes: [folders.output, own.temporary],
      hasNetwork,
    }),
    allowedDomains,
    folder: bridge,
    path: PATH,
    signal: job.signal,
  });
  let status = "";
  try {
    const line = withoutSharedFolder(wrapped.line, Object.values(folders));
    const end = await runProcess({
      ...job,
      command: await endWithHost(["/bin/sh", "-c", `exec ${line}`]),
      shownCommand: command,
      cwd: folders.skill,
      env,
      marker: temporary,
      limits: { ...job.limits, processes: processes + OWN_PROCESSES + (hasNetwork ? NETWORK_PROCESSES : 0) },
      outputFolder: folders.output,
      onStatus: (text) => {
        status += text;
      },
    });
    if (end.outcome !== "exited" || status !== "") return end;
    return { outcome: "refused", reason: end.stderr.trim().split("\n").at(-1) ?? "" };
  } finally {
    await wrapped.close();
  }
}
