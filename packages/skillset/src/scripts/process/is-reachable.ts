import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Whether everybody may pass through a folder and all its parents. */
export function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return folder === dirname(folder) || isReachable(dirname(folder));
}
