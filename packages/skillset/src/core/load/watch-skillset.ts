import { DEFAULTS } from "../base/limits.ts";
import { isStored } from "../skill/skill.ts";
import type { Skillset, SkillsetWatcher, WatchListener, WatchOptions } from "../skillset.ts";
import { type WatchedSource, watchSources } from "./watch-sources.ts";
import { whenQuiet } from "./when-quiet.ts";

/** Watches folders. */
export type PlaceWatcher = (onChange: () => void, onError: (error: unknown) => void) => WatchedFolders;

export interface WatchedFolders {
  readonly ready: Promise<void>;
  /** Updates the watches for the folders of the skills. Returns whether one was added. */
  follow(folders: readonly string[], added?: readonly string[]): boolean;
  close(): Promise<void>;
}

export interface WatchedInputs {
  readonly sources: readonly WatchedSource[];
  readonly places?: PlaceWatcher | undefined;
}

/** Reloads the skillset when the folders or sources change, and calls the listener with the differences. */
export function watchSkillset(
  first: Skillset,
  { places = noFolders, sources }: WatchedInputs,
  listener: WatchListener,
  { debounce = DEFAULTS.watchDebounce, signal, onError }: WatchOptions = {},
): SkillsetWatcher {
  let current = first;
  let closed = false;

  const refresh = async (): Promise<void> => {
    if (closed) return;
    try {
      const { skillset, changes } = await current.reload();
      const before = current;
      current = skillset;
      // Changes are missed while a new path is being added, so reload once more afterwards.
      if (folders.follow(foldersOf(skillset), foldersOf(skillset, changes.added))) schedule();
      const isQuiet = changes.added.length + changes.removed.length + changes.changed.length === 0;
      if (!closed && !(isQuiet && sameProblems(before, skillset))) listener({ skillset, changes });
    } catch (error) {
      onError?.(error);
    }
  };
  const { schedule, stop } = whenQuiet(refresh, debounce);
  const folders = places(schedule, (error) => onError?.(error));
  const others = watchSources(sources, schedule, { signal, onError });
  const close = async (): Promise<void> => {
    closed = true;
    signal?.removeEventListener("abort", close);
    await Promise.all([stop(), folders.close(), others.close()]);
  };

  folders.follow(foldersOf(first));
  // Changes between loading and now were missed.
  const ready = Promise.all([folders.ready, others.ready]).then(() => {});
  void ready.then(schedule);
  if (signal?.aborted) void close();
  else signal?.addEventListener("abort", close, { once: true });
  return {
    get current() {
      return current;
    },
    ready,
    close,
  };
}

const noFolders: PlaceWatcher = () => ({ ready: Promise.resolve(), follow: () => false, close: async () => {} });

/** Returns the folders of all skills, or of those with the given names. */
function foldersOf({ skills }: Skillset, names?: readonly string[]): readonly string[] {
  const wanted = names && new Set(names);
  if (wanted?.size === 0) return [];
  return skills.flatMap((skill) =>
    isStored(skill) && (wanted === undefined || wanted.has(skill.name)) ? [skill.basePath] : [],
  );
}

/** A skill that breaks or is fixed counts as a change even if the set of skills is the same. */
function sameProblems({ problems: before }: Skillset, { problems: after }: Skillset): boolean {
  return (
    before.length === after.length &&
    before.every((problem, index) => problem === after[index] || problem.message === after[index]?.message)
  );
}
