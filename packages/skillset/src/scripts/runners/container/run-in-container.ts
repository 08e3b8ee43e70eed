import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import { runProcess } from "../../process/run-process.ts";
import { scriptEnvironment, withLimits } from "../../process/script-command.ts";
import { INSIDE, SANDBOX_PATH } from "../sandbox/profile.ts";
import { giveTo, UNPRIVILEGED } from "../sandbox/sandbox.ts";
import { launcherText } from "../sandbox-runtime/launcher.ts";
import { containerProfile, LAUNCH_FOLDER } from "./container-profile.ts";
import { askEngine, type Engine, engineCommand, engineEnvironment } from "./engine.ts";

/** A command to run in a container. */
export interface ContainerJob
  extends Pick<ScriptJob, "skillFolder" | "outputFolder" | "stdin" | "env" | "limits" | "signal" | "onOutput"> {
  readonly engine: Engine;
  readonly image: string;
  readonly command: readonly string[];
}

/**
 * Starts the script as a later process: signals do not end the first one. Its input is a file, because a program that
 * reads all of a pipe at once may fail before the data arrives, as Node does once `process.stdin` was used.
 */
const FIRST = `. "$0" < ${LAUNCH_FOLDER}/input`;

/** Runs a command in a new container, and removes the container. Refuses it with the engine's last line. */
export async function runInContainer({ engine, image, command, stdin = "", ...job }: ContainerJob): Promise<ScriptEnd> {
  const { skillFolder, outputFolder, limits } = job;
  if ([skillFolder, outputFolder].some((path) => path.includes(":")))
    return { outcome: "refused", reason: "The path of the script's folder contains a colon." };
  const name = `skillset-${randomBytes(8).toString("hex")}`;
  const launchFolder = makeTemporaryFolder("skillset-run-");
  const isRoot = process.getuid?.() === 0;
  try {
    const env = scriptEnvironment(SANDBOX_PATH, INSIDE, job.env);
    const text = launcherText({ command: withLimits(command, { files: limits.files }), env, setsVariables: true });
    const files = Object.entries({ "launch.sh": text, input: stdin }).map(([file, content]) => {
      const path = join(launchFolder, file);
      writeFileSync(path, content, { mode: 0o400 });
      return path;
    });
    if (isRoot) {
      chmodSync(launchFolder, 0o711);
      for (const path of [outputFolder, ...files]) await giveTo(UNPRIVILEGED, path);
    }
    const profile = containerProfile({ engine, image, name, skillFolder, outputFolder, launchFolder, limits });
    const kills = memoryKills();
    const end = await runProcess({
      ...job,
      command: [...engineCommand(engine), ...profile, "-c", FIRST, `${LAUNCH_FOLDER}/launch.sh`],
      shownCommand: command,
      cwd: "/",
      env: engineEnvironment(),
      // These are the engine's. The container has its own limits.
      limits: { ...limits, memory: Number.MAX_SAFE_INTEGER, processes: Number.MAX_SAFE_INTEGER },
      outputFolder,
    });
    return await readEnd(engine, name, end, memoryKills() > kills);
  } finally {
    await askEngine(engine, "rm", "--force", ...(engine.name === "podman" ? ["--time", "0"] : []), name);
    if (isRoot) await giveTo(0, outputFolder);
    removeOwnedFolder(launchFolder);
  }
}

/** Completes what the engine's program reported with the state of the container. */
async function readEnd(engine: Engine, name: string, end: ScriptEnd, hasKills: boolean): Promise<ScriptEnd> {
  if (end.outcome !== "exited") return end;
  const state = await askEngine(engine, "inspect", "--format", "{{.State.StartedAt}} {{.State.OOMKilled}}", name);
  if (state === undefined || state.startsWith("0001-"))
    return { outcome: "refused", reason: end.stderr.trim().split("\n").at(-1) ?? "" };
  // Not every version of podman reports it.
  const isKilled = end.exitCode === 128 + constants.signals.SIGKILL && hasKills;
  if (!isKilled && !state.endsWith("true")) return end;
  const { command, stdout, stderr } = end;
  return { outcome: "memory-limit", command, stdout, stderr };
}

/** How many processes the kernel of this machine has killed because of a limit of memory. Linux only. */
function memoryKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
