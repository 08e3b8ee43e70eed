import { editsBetween } from "./edits-between.ts";

/** Returns the candidate that was most likely meant: the only one with this prefix, or the nearest one. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const beginning = candidates.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  if (beginning.length === 1) return beginning[0];
  const near = candidates.flatMap((candidate) => {
    const edits = editsBetween(word.toLowerCase(), candidate);
    return edits === undefined ? [] : [{ candidate, edits }];
  });
  return near.sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
