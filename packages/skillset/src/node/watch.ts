import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { watch } from "chokidar";
import { LIMITS } from "../core/limits.ts";
import type { Skillset, SkillsetWatcher, WatchListener, WatchOptions } from "../core/skillset.ts";

/** Reloads the skillset when something changes below the paths, and tells the listener what is different. */
export function watchSkillset(
  first: Skillset,
  paths: readonly string[],
  listener: WatchListener,
  { debounce = 200, signal, onError }: WatchOptions = {},
): SkillsetWatcher {
  let current = first;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const watcher = watch(paths.map(nearestExisting), {
    ignoreInitial: true,
    depth: LIMITS.hard.scanDepth + 1,
    ignored: (path) => basename(path) === ".git" || basename(path) === "node_modules",
    ignorePermissionErrors: true,
  });
  const schedule = (): void => {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(refresh);
    }, debounce);
  };
  const refresh = async (): Promise<void> => {
    if (closed) return;
    try {
      const { skillset, changes } = await current.reload();
      const before = current;
      current = skillset;
      const quiet = changes.added.length + changes.removed.length + changes.changed.length === 0;
      if (!closed && !(quiet && sameProblems(before, skillset))) listener({ skillset, changes });
    } catch (error) {
      onError?.(error);
    }
  };
  const close = async (): Promise<void> => {
    closed = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", close);
    await watcher.close();
    await running;
  };

  watcher.on("all", schedule);
  watcher.on("error", (error) => onError?.(error));
  if (signal?.aborted) void close();
  else signal?.addEventListener("abort", close, { once: true });
  const ready = new Promise<void>((resolve) => {
    if (closed || paths.length === 0) resolve();
    else watcher.once("ready", resolve);
  });
  return {
    get current() {
      return current;
    },
    ready,
    close,
  };
}

/** A folder that does not exist yet is noticed through the nearest one that does. */
function nearestExisting(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** A skill that broke, or was mended, is news even when the set of skills is the same. */
function sameProblems({ problems: before }: Skillset, { problems: after }: Skillset): boolean {
  return (
    before.length === after.length &&
    before.every((problem, index) => problem === after[index] || problem.message === after[index]?.message)
  );
}
