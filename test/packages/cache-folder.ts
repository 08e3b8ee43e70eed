import { chmodSync } from "node:fs";
import { temporaryFolder } from "../temporary-folder.ts";

/** A folder for installed packages that is removed after the test. The sandbox of root must be able to enter it. */
export function cacheFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  return folder;
}
