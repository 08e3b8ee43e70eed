import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The path without links; the absolute path for one that cannot be resolved. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
