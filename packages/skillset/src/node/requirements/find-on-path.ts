import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the path of a command, without running it. Ignores relative folders on PATH: a project could fill them. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const path of placesOf(name)) if (isProgram(await stat(path).catch(() => undefined))) return path;
  return undefined;
}

/** The same without waiting, for constructors. */
export function isOnPathSync(name: string): boolean {
  return placesOf(name).some((path) => {
    try {
      return isProgram(statSync(path, { throwIfNoEntry: false }));
    } catch {
      return false;
    }
  });
}

function placesOf(name: string): readonly string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => extensions().map((extension) => join(folder, `${name}${extension}`)));
}

function extensions(): readonly string[] {
  if (process.platform !== "win32") return [""];
  return ["", ...(process.env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean)];
}

function isProgram(stats: Stats | undefined): boolean {
  if (stats === undefined) return false;
  return stats.isFile() && (process.platform === "win32" || (stats.mode & 0o111) !== 0);
}
