import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

const MB = 1024 * 1024;

const canMount = process.platform === "linux" && process.getuid?.() === 0 && mountsWork();

/** A suffix for the titles of skipped tests; empty if there are small disks. */
export const SMALL_DISK_MISSING = canMount
  ? ""
  : " (skipped: a small disk needs Linux, root and the right to mount a tmpfs)";

export interface SmallDisk {
  readonly folder: string;
  /** The number of free megabytes. */
  free(): number;
  /** Fills the disk as another program would, up to so many free megabytes. */
  fill(left: number): void;
}

/** Mounts a disk that is removed after the test. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder();
  mount(folder, megabytes);
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder);
    return (bavail * bsize) / MB;
  };
  const fill = (left: number): void => {
    const other = join(folder, "other");
    rmSync(other, { force: true });
    writeFileSync(other, new Uint8Array(Math.max(0, Math.floor((free() - left) * MB))));
  };
  return { folder, free, fill };
}

function mount(folder: string, megabytes: number): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]).status === 0;
}

function mountsWork(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "skillset-mount-"));
  const works = mount(folder, 1) && spawnSync("umount", [folder]).status === 0;
  rmdirSync(folder);
  return works;
}
