import { chmodSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptLimits } from "../../../core/script/script.ts";
import type { ScriptFolders } from "../../process/script-command.ts";

/** Paths in the sandbox. */
export const INSIDE: ScriptFolders = { skill: "/skill", output: "/output", temporary: "/tmp" };

/** Where interpreters that are not part of the system are mounted. */
export const PROGRAMS_FOLDER = "/opt/skillset";

export const SANDBOX_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * What the output folder may use beyond the limit for files, because each file is rounded up to pages, and because a
 * script that reaches the limit must be able to exceed it.
 */
const OUTPUT_SPARE = 4_096 * 4_096;

/** The user in the sandbox. */
const USER = 1000;

export interface ProfileOptions {
  readonly skillFolder: string;
  /** A folder of the host for the output. Without it, the output is in memory, and ends with the sandbox. */
  readonly outputFolder?: string | undefined;
  /** A folder with the files that `writeEtc` writes. */
  readonly etc: string;
  readonly limits: Pick<ScriptLimits, "files">;
  /** Files and folders of the host to mount read-only, by their path in the sandbox. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Options that this version of bubblewrap supports. */
  readonly extra: readonly string[];
}

/**
 * The arguments of bubblewrap before the command. The order matters: each mount is created in a tree that contains only
 * what comes before it. No destination is below the skill, the output folder or /tmp, because a script could replace
 * parts of the path there with links.
 */
export function profile({ skillFolder, outputFolder, etc, limits, mounts, extra }: ProfileOptions): string[] {
  const size = ["--size", String(limits.files)];
  const output =
    outputFolder === undefined
      ? ["--size", String(limits.files + OUTPUT_SPARE), "--tmpfs", INSIDE.output]
      : ["--bind", outputFolder, INSIDE.output];
  return [
    ...["--unshare-all", "--unshare-user", ...extra, "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--uid", String(USER), "--gid", String(USER), "--hostname", "sandbox", "--json-status-fd", "3"],
    ...["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/nix/store", "/nix/store"],
    ...["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap(systemFolder),
    ...ETC.flatMap((name) => ["--ro-bind-try", join("/etc", name), join("/etc", name)]),
    ...Object.keys(OWN_ETC).flatMap((name) => ["--ro-bind", join(etc, name), join("/etc", name)]),
    ...Object.entries(mounts).flatMap(([inside, outside]) => ["--ro-bind", outside, inside]),
    ...["--proc", "/proc", "--dev", "/dev", ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...[...size, "--tmpfs", INSIDE.temporary],
    ...["--ro-bind", skillFolder, INSIDE.skill, ...output],
    ...["--remount-ro", "/", "--chdir", INSIDE.skill, "--"],
  ];
}

/** Files of /etc without names, addresses or secrets of the host. */
const ETC = ["ld.so.cache", "alternatives", "localtime", "ssl/openssl.cnf"];

const OWN_ETC: Readonly<Record<string, string>> = {
  passwd: `script:x:${USER}:${USER}::${INSIDE.temporary}:/bin/sh\n`,
  group: `script:x:${USER}:\n`,
};

/** Writes the files of /etc that describe the sandbox itself. */
export function writeEtc(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries(OWN_ETC)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o444);
  }
}

/** On most systems /bin is a link to usr/bin. */
function systemFolder(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}
