import { stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the path of a command, without running it. Ignores relative folders on PATH: a project could fill them. */
export async function findOnPath(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    for (const extension of extensions()) {
      const path = join(folder, `${name}${extension}`);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

function extensions(): readonly string[] {
  if (process.platform !== "win32") return [""];
  return ["", ...(process.env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";").filter(Boolean)];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    return stats.isFile() && (process.platform === "win32" || (stats.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
