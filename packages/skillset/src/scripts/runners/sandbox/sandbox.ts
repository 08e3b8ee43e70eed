import { execFile } from "node:child_process";
import { chmodSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { runProcess } from "../../process/run-process.ts";
import { scriptEnvironment, withLimits } from "../../process/script-command.ts";
import { makeSharedFolder } from "../../process/shared-folder.ts";
import { createBreaks } from "../../process/take-breaks.ts";
import { OutputInMemory } from "./output-in-memory.ts";
import { INSIDE, profile, SANDBOX_PATH, writeEtc } from "./profile.ts";
import { SandboxStatus } from "./sandbox-status.ts";

/** What to run in a sandbox. */
export interface SandboxJob
  extends Pick<ScriptJob, "skillFolder" | "outputFolder" | "stdin" | "env" | "limits" | "signal" | "onOutput"> {
  readonly command: readonly string[];
  readonly mounts: Readonly<Record<string, string>>;
  /**
   * Lets the command write to the output folder itself, for large output of a trusted program. Otherwise it writes to
   * memory, and its files are copied when it has ended.
   */
  readonly writesToDisk?: boolean;
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
    return makeSharedFolder("skillset-sandbox-");
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
    writesToDisk = false,
    ...job
  }: SandboxJob): Promise<ScriptEnd> {
    const { files, processes } = job.limits;
    const etc = join(this.#folder, "etc");
    const extra = this.extra;
    const user = this.#isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    const status = new SandboxStatus();
    let memory: OutputInMemory | undefined;
    let failure: unknown;
    const fill = async (): Promise<void> => {
      try {
        memory = new OutputInMemory(await status.firstProcess);
        await memory.fill(outputFolder, user);
        if (this.#isRoot) await giveTo(0, outputFolder);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    try {
      if (this.#isRoot) await giveTo(UNPRIVILEGED, outputFolder);
      const limited = withLimits(command, { files, processes: processes + OWN_PROCESSES, open: openFiles });
      const inside = { skillFolder, outputFolder: writesToDisk ? outputFolder : undefined };
      const end = await runProcess({
        ...job,
        command: [
          this.#program,
          ...profile({ ...inside, etc, limits: job.limits, mounts, extra }),
          ...(writesToDisk ? limited : ["/bin/sh", "-c", GATE, "sh", ...limited]),
        ],
        shownCommand: command,
        cwd: "/",
        env: scriptEnvironment(SANDBOX_PATH, INSIDE, job.env),
        ...user,
        limits: { ...job.limits, processes: processes + OWN_PROCESSES },
        ...(writesToDisk
          ? { outputFolder }
          : { outputFolder: () => memory?.folder, isFull: () => memory?.isFull ?? false, onReady: fill }),
        // They are in a PID namespace.
        endsTogether: true,
        onStatus: (text) => status.add(text),
      });
      await status.endOfNamespace();
      if (failure !== undefined) throw failure;
      if (end.outcome === "exited" && !status.hasExitCode)
        return { outcome: "refused", reason: end.stderr.trim().split("\n").at(-1) ?? "" };
      if (end.outcome === "refused" || memory === undefined) return end;
      return { ...end, droppedFiles: await memory.copyTo(outputFolder, files) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EACCES" && this.#isRoot)
        return { outcome: "refused", reason: NOT_PERMITTED };
      throw error;
    } finally {
      memory?.close();
      if (this.#isRoot) await giveTo(0, outputFolder);
    }
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

/** Waits until this program has copied the files. The text is fixed, and the command is arguments. */
const GATE = 'echo >&4; read -r line <&4 || exit 1; exec 4>&-; exec "$@"';

/** The line that names the capability, for the operator. */
export const NOT_PERMITTED = "As root, this program needs the capability SYS_PTRACE to copy what scripts write.";

/** Changes the owner of a folder and what it contains. No process uses it meanwhile, so no path becomes a link. */
export async function giveTo(user: number, folder: string, takeBreak = createBreaks()): Promise<void> {
  try {
    lchownSync(folder, user, user);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      await takeBreak();
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await giveTo(user, path, takeBreak);
      else lchownSync(path, user, user);
    }
  } catch {
    // A path can be too long. What the script cannot read or the host cannot keep is reported later.
  }
}
