import { chmodSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

/** A folder of skills that already contains one. */
export function installWorld(): string {
  return temporaryFolder({ "agent/skills/there/SKILL.md": skillMd("there") });
}

/** A folder with one skill that has every kind of part. */
export function makeSource(): string {
  const folder = temporaryFolder({
    "big/SKILL.md": skillMd("big"),
    "big/checklists/one.md": "- [ ] look",
    "big/scripts/run.sh": "#!/bin/sh\n",
    // Large enough to be copied by the kernel.
    "big/data/large.bin": new Uint8Array(300_000).fill(7),
  });
  chmodSync(join(folder, "big/scripts/run.sh"), 0o755);
  symlinkSync("../SKILL.md", join(folder, "big/data/link.md"));
  return folder;
}

/** The parts of a completely installed skill, by name. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  there: ["SKILL.md"],
  small: ["SKILL.md"],
  big: ["SKILL.md", "checklists/one.md", "data/large.bin", "data/link.md", "scripts/run.sh"],
};

/** Returns everything below a folder, with the content of the files. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const stats = lstatSync(join(folder, path));
    parts[path] = stats.isFile()
      ? readFileSync(join(folder, path), "latin1")
      : stats.isDirectory()
        ? "folder"
        : "other";
  }
  return parts;
}

/** Returns the incomplete skills in a folder; there must never be one. */
export function halfInstalled(skills: string): readonly string[] {
  return readNames(skills).filter((name) => {
    const parts = snapshot(join(skills, name));
    const files = Object.keys(parts).filter((path) => parts[path] !== "folder");
    const isWhole = JSON.stringify(files) === JSON.stringify(WHOLE[name]);
    return !isWhole || (name === "big" && parts["data/large.bin"]?.length !== 300_000);
  });
}

export function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
