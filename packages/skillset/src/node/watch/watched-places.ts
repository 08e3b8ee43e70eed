import { existsSync, type FSWatcher, type Stats, statSync, watch } from "node:fs";
import { basename, dirname, sep } from "node:path";
import { type FSWatcher as InsideWatcher, watch as watchInside } from "chokidar";
import { LIMITS } from "../../core/base/limits.ts";
import type { WatchedFolders } from "../../core/load/watch-skillset.ts";

/**
 * Watches the contents of existing paths. In the folder around each path, watches only whether the path is created,
 * removed or replaced, so that a missing folder does not cause a watch on the whole home folder.
 */
export class WatchedPlaces implements WatchedFolders {
  readonly ready: Promise<void>;
  readonly #paths: readonly string[];
  readonly #inside: InsideWatcher;
  readonly #around = new Map<string, FolderWatcher>();
  readonly #onChange: () => void;
  readonly #settle: () => void;
  /** The inode of each watched path. A new inode under the same name needs a new watch. */
  readonly #followed = new Map<string, number>();

  constructor(paths: readonly string[], onChange: () => void, onError: (error: unknown) => void) {
    this.#paths = paths;
    this.#onChange = onChange;
    this.#inside = watchInside([], {
      followSymlinks: false,
      ignorePermissionErrors: true,
      depth: LIMITS.hard.scanDepth + 1,
      ignored: (path) => basename(path) === ".git" || basename(path) === "node_modules",
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    let isReady = false;
    this.#settle = () => {
      isReady = true;
      resolve();
    };
    this.ready = promise;
    // What is found in a folder that is added later may have changed before it was watched, so it counts as a change.
    const report = () => void (isReady && onChange());
    this.#inside.on("all", report).on("error", onError).once("ready", this.#settle);
  }

  /** Updates the watches for existing paths and linked folders. Returns whether a path was added. */
  follow(folders: readonly string[], added: readonly string[] = []): boolean {
    let isNew = false;
    // The watcher may have missed a folder that was created while its parent was being added.
    for (const folder of added) this.#inside.add(folder);
    const paths = [...this.#paths, ...folders.filter((folder) => !this.#covers(folder))];
    for (const path of paths) {
      const inode = statOf(path)?.ino;
      if (inode === this.#followed.get(path)) continue;
      this.#inside.unwatch(path);
      this.#followed.delete(path);
      if (inode === undefined) continue;
      this.#followed.set(path, inode);
      this.#inside.add(path);
      isNew = true;
    }
    this.#followAround(paths);
    if (this.#followed.size === 0) this.#settle();
    return isNew;
  }

  async close(): Promise<void> {
    this.#settle();
    for (const watcher of this.#around.values()) watcher.close();
    await this.#inside.close();
  }

  #followAround(paths: readonly string[]): void {
    const wanted = new Map<string, Set<string>>();
    for (const path of paths) {
      const { folder, name } = nearestAncestor(path);
      wanted.set(folder, (wanted.get(folder) ?? new Set()).add(name));
    }
    for (const [folder, watcher] of this.#around) {
      if (wanted.has(folder) && statOf(folder)?.ino === watcher.inode) continue;
      watcher.close();
      this.#around.delete(folder);
    }
    for (const [folder, names] of wanted) {
      const known = this.#around.get(folder);
      if (known !== undefined) known.names = names;
      else this.#around.set(folder, new FolderWatcher(folder, names, this.#onChange));
    }
  }

  #covers(folder: string): boolean {
    return this.#paths.some((path) => folder === path || folder.startsWith(path + sep));
  }
}

/** Reports when one of the names in a folder is created or removed. */
class FolderWatcher {
  names: ReadonlySet<string>;
  readonly inode: number | undefined;
  readonly #watcher: FSWatcher | undefined;

  constructor(folder: string, names: ReadonlySet<string>, onChange: () => void) {
    this.names = names;
    this.inode = statOf(folder)?.ino;
    try {
      this.#watcher = watch(folder, { persistent: true }, (_event, name) => {
        if (name === null || this.names.has(name) || statOf(folder)?.ino !== this.inode) onChange();
      });
      // The next update notices that the folder was removed.
      this.#watcher.on("error", onChange);
    } catch {
      // Without permission to watch the folder, only its contents are watched.
    }
  }

  close(): void {
    this.#watcher?.close();
  }
}

/** Returns the nearest existing ancestor, and the next name on the way to the path. */
function nearestAncestor(path: string): { folder: string; name: string } {
  let name = basename(path);
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) {
    name = basename(folder);
    folder = dirname(folder);
  }
  return { folder, name };
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
