import { execFile } from "node:child_process";
import { chmodSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { makeTemporaryFolder } from "../../../node/copy/owned-folder.ts";
import { readRow } from "../../process/process-table.ts";
import { kill } from "../../process/process-tree.ts";
import { runProcess } from "../../process/run-process.ts";
import { scriptEnvironment, withLimits } from "../../process/script-command.ts";
import { INSIDE, profile, SANDBOX_PATH, writeEtc } from "./profile.ts";

/** What to run in a sandbox. */
export interface SandboxJob
  extends Pick<ScriptJob, "skillFolder" | "outputFolder" | "stdin" | "env" | "limits" | "signal" | "onOutput"> {
  readonly command: readonly string[];
  readonly mounts: Readonly<Record<string, string>>;
  readonly mostFiles?: number;
  /** How many files it may have open. */
  readonly openFiles?: number;
}

/**
 * The user outside the sandbox if this program is root, because root is not bound to the number of processes. No user
 * and no service has this id, so no file or process of the machine belongs to it. Containers usually have it too.
 */
export const UNPRIVILEGED = 65_527;

/** The processes of bubblewrap itself: one outside, one inside. */
const OWN_PROCESSES = 2;

const OPEN_FILES = 256;

/** Starts bubblewrap. */
export class Sandbox {
  /** Options that not every version has. They are tried, and left out if bubblewrap refuses them. */
  extra: readonly string[] = ["--disable-userns"];
  readonly #program: string;
  readonly #folder: string;
  readonly #isRoot = process.getuid?.() === 0;

  constructor(program: string) {
    this.#program = program;
    this.#folder = this.makeFolder();
    writeEtc(join(this.#folder, "etc"));
  }

  /** Creates a private temporary folder that the sandbox can mount. */
  makeFolder(): string {
    const folder = makeTemporaryFolder("skillset-sandbox-");
    if (this.#isRoot) chmodSync(folder, 0o711);
    return folder;
  }

  /** Lets the user of the sandbox connect to a socket, and nobody else. */
  share(socket: string): void {
    chmodSync(socket, 0o600);
    if (this.#isRoot) lchownSync(socket, UNPRIVILEGED, UNPRIVILEGED);
  }

  /** Runs a command. Refuses it with the last line of bubblewrap if the sandbox does not start. */
  async run({
    skillFolder,
    outputFolder,
    command,
    mounts,
    openFiles = OPEN_FILES,
    ...job
  }: SandboxJob): Promise<ScriptEnd> {
    const { files, processes } = job.limits;
    const etc = join(this.#folder, "etc");
    const extra = this.extra;
    let status = "";
    if (this.#isRoot) giveTo(UNPRIVILEGED, outputFolder);
    const end = await runProcess({
      ...job,
      command: [
        this.#program,
        ...profile({ skillFolder, outputFolder, etc, limits: job.limits, mounts, extra }),
        ...withLimits(command, { files, processes: processes + OWN_PROCESSES, open: openFiles }),
      ],
      shownCommand: command,
      cwd: "/",
      env: scriptEnvironment(SANDBOX_PATH, INSIDE, job.env),
      ...(this.#isRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
      limits: { ...job.limits, processes: processes + OWN_PROCESSES },
      outputFolder,
      // They are in a PID namespace.
      endsTogether: true,
      onStatus: (text) => {
        status += text;
      },
    });
    const first = /"child-pid": (\d+)/.exec(status)?.[1];
    if (first !== undefined) await endNamespace(first);
    if (this.#isRoot) giveTo(0, outputFolder);
    if (end.outcome !== "exited" || status.includes('"exit-code"')) return end;
    return { outcome: "refused", reason: end.stderr.trim().split("\n").at(-1) ?? "" };
  }

  /** The text that lists the options of bubblewrap. Undefined if it does not start. */
  help(): Promise<string | undefined> {
    const asked = promisify(execFile)(this.#program, ["--help"], { env: {}, timeout: 10_000 });
    return asked.then(
      ({ stdout, stderr }) => stdout + stderr,
      () => undefined,
    );
  }
}

/** Waits until the first process of a PID namespace is gone. It ends after all others. */
async function endNamespace(pid: string): Promise<void> {
  const row = readRow(pid);
  for (let waited = 0; row !== undefined && readRow(pid)?.start === row.start && waited < 5_000; waited += 2) {
    kill(row.pid);
    await pause(2);
  }
}

/** Changes the owner of a folder and what it contains. No process uses it meanwhile, so no path becomes a link. */
export function giveTo(user: number, folder: string): void {
  try {
    lchownSync(folder, user, user);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) giveTo(user, path);
      else lchownSync(path, user, user);
    }
  } catch {
    // A path can be too long. What the script cannot read or the host cannot keep is reported later.
  }
}
