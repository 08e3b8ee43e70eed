import type { WatchOptions } from "../skillset.ts";
import type { SkillSource, SourceWatcher } from "../source/source.ts";

/** A source, as far as it can be watched. */
export type WatchedSource = Pick<SkillSource, "watch">;

/** Watches every source that supports it. Reports a source that fails and watches the others. */
export function watchSources(
  sources: readonly WatchedSource[],
  onChange: () => void,
  { signal, onError }: { readonly [Key in "signal" | "onError"]: WatchOptions[Key] | undefined },
): Required<SourceWatcher> {
  const watchers: SourceWatcher[] = [];
  for (const source of sources) {
    try {
      const watcher = source.watch?.(onChange, signal === undefined ? {} : { signal });
      if (watcher !== undefined) watchers.push(watcher);
    } catch (error) {
      onError?.(error);
    }
  }
  const report = (error: unknown): void => onError?.(error);
  return {
    ready: Promise.all(watchers.map(async ({ ready }) => ready?.catch(report))).then(() => {}),
    close: async () => {
      await Promise.all(watchers.map(async (watcher) => watcher.close()).map((closing) => closing.catch(report)));
    },
  };
}
