import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeOwnedFolder } from "../node/copy/owned-folder.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import { isReachable } from "./process/is-reachable.ts";
import { makeScriptFolder } from "./process/shared-folder.ts";

/** A folder that scripts can use in place of another one. */
export interface ReachableFolder {
  readonly path: string;
  /** Puts the contents back, unless the other folder was removed meanwhile. */
  close(): void;
}

/**
 * Returns a folder that a sandbox can use. If this is root, the sandbox runs as another user, who cannot reach a folder
 * below a private one: then the contents are copied to a temporary folder, and back when it is closed.
 */
export function openReachable(folder: string): ReachableFolder {
  if (process.getuid?.() !== 0 || isReachable(dirname(folder))) return { path: folder, close: () => {} };
  const base = makeScriptFolder("skillset-outputs-");
  const path = join(base, "output");
  copy(folder, path);
  return {
    path,
    close: () => {
      if (!existsSync(folder)) return removeOwnedFolder(base);
      const [next, old] = [`${folder}.next`, `${folder}.old`];
      for (const one of [next, old]) removeTree(one);
      copy(path, next);
      renameSync(folder, old);
      renameSync(next, folder);
      removeTree(old);
      removeOwnedFolder(base);
    },
  };
}

function copy(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}
