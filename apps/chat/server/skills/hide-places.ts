import { basename } from "node:path";
import type { ProblemView, SkillRow } from "../../shared/skills-api.ts";
import type { Redact } from "../observe/redact.ts";

export interface PlaceHider {
  /** `./` and `~/` for the project and the home; elsewhere the last part of the scanned folder: `…/skills/pdf`. */
  place(path: string): string;
  row(row: SkillRow): SkillRow;
  problem(problem: ProblemView): ProblemView;
}

/** Names places so that they differ from each other, for users who may not see absolute paths. */
export function hidePlaces(roots: readonly string[], redact: Redact): PlaceHider {
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const root of roots.filter((path) => isHidden(path, redact))) {
    const count = (counts.get(basename(root)) ?? 0) + 1;
    counts.set(basename(root), count);
    labels.set(root, count === 1 ? `…/${basename(root)}` : `…/${basename(root)} (${count})`);
  }
  // The innermost folder comes first.
  const known = [...labels].sort(([a], [b]) => b.length - a.length);
  const place = (path: string): string => {
    if (!isHidden(path, redact)) return redact(path);
    const [root, label] = known.find(([one]) => path === one || /^[\\/]/.test(below(path, one))) ?? [];
    return root === undefined ? `…/${basename(path)}` : `${label}${below(path, root)}`;
  };
  const text = (words: string): string => {
    const marked = known.reduce(
      (before, [root], index) => before.replaceAll(`${root}/`, `${MARK}${index}/`),
      words.replaceAll(MARK, ""),
    );
    return redact(marked).replace(MARKED, (_, index) => known[index]?.[1] ?? "");
  };
  return {
    place,
    row: (row) => ({
      ...redact(row),
      source: place(row.source),
      ...(row.reason !== undefined && { reason: text(row.reason) }),
    }),
    problem: (problem) => ({
      ...redact(problem),
      message: text(problem.message),
      ...(problem.path !== undefined && { path: place(problem.path) }),
    }),
  };
}

/** Represents a label while a text is redacted. A path after the digit is not absolute. */
const MARK = "\ue000";
const MARKED = new RegExp(`${MARK}(\\d+)`, "g");

function isHidden(path: string, redact: Redact): boolean {
  return redact(path).includes("<path>");
}

/** The rest of a path below a folder, or nothing. */
function below(path: string, folder: string): string {
  return path.startsWith(folder) ? path.slice(folder.length) : "";
}
