import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** Resolves links in a path. Returns the absolute path if that fails. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
