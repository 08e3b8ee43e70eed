import type { ScriptLimits } from "../../../core/script/script.ts";
import { INSIDE } from "../sandbox/profile.ts";
import { UNPRIVILEGED } from "../sandbox/sandbox.ts";
import type { Engine } from "./engine.ts";

/** Where the launcher is in the container. */
export const LAUNCH_FOLDER = "/skillset";

export interface ContainerProfile {
  readonly engine: Engine;
  readonly image: string;
  /** The container's name. */
  readonly name: string;
  /** Folders of the host. */
  readonly skillFolder: string;
  readonly outputFolder: string;
  readonly launchFolder: string;
  readonly limits: ScriptLimits;
}

/** The processes of the container itself: its first one waits for the script. */
const OWN_PROCESSES = 2;

/** The system counts the processes of a user in all sandboxes together, so this only replaces a lower default. */
const USERS_PROCESSES = "4096:4096";

/** Docker cannot hide the folders that describe the machine. */
const ONLY_PODMAN = [
  "--read-only-tmpfs=false",
  "--security-opt",
  "mask=/sys:/run:/etc/hosts:/etc/hostname:/etc/resolv.conf",
];

/** The arguments of `run`, up to the command. */
export function containerProfile({ engine, image, name, limits, ...folders }: ContainerProfile): string[] {
  const isPodman = engine.name === "podman";
  const processes = limits.processes + OWN_PROCESSES;
  const [uid = UNPRIVILEGED, gid = UNPRIVILEGED] =
    process.getuid?.() === 0 ? [] : [process.getuid?.(), process.getgid?.()];
  const size = `size=${limits.files}`;
  return [
    ...["run", "--name", name, "--pull", "never", "--network", "none", "--hostname", "sandbox"],
    ...["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--user", `${uid}:${gid}`],
    // With SELinux, a container cannot read mounted folders unless it changes their labels, and these are the user's.
    ...["--security-opt", "label=disable"],
    ...["--pids-limit", String(processes), "--memory", String(limits.memory), "--memory-swap", String(limits.memory)],
    ...["--ulimit", "core=0:0", "--ulimit", "nofile=256:256", "--ulimit", `nproc=${USERS_PROCESSES}`],
    ...["--tmpfs", `${INSIDE.temporary}:rw,nosuid,nodev,mode=1777,${size}`, "--shm-size", String(limits.files)],
    ...[
      "--volume",
      `${folders.skillFolder}:${INSIDE.skill}:ro`,
      "--volume",
      `${folders.outputFolder}:${INSIDE.output}`,
    ],
    ...["--volume", `${folders.launchFolder}:${LAUNCH_FOLDER}:ro`, "--workdir", INSIDE.skill, "--log-driver", "none"],
    // If this program is killed, the engine ends the container.
    ...(isPodman ? ["--timeout", String(Math.ceil(limits.time / 1000) + 10), ...ONLY_PODMAN] : []),
    ...(isPodman && process.getuid?.() !== 0 ? ["--userns", "keep-id"] : []),
    ...(!isPodman && engine.runtime !== undefined ? ["--runtime", engine.runtime] : []),
    ...["--entrypoint", "/bin/sh", image],
  ];
}
