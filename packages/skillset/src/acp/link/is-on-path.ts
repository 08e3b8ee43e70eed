import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program with this name is in one of the folders of the `PATH`. */
export function isOnPath(program: string, path = ""): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe", ""] : [""];
  return path.split(delimiter).some((folder) => endings.some((ending) => canRun(join(folder, program + ending))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
