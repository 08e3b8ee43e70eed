import { readFileSync } from "node:fs";

/** The worked example of a recipe of CONTRIBUTING.md. */
export interface Recipe {
  /** The heading of the recipe. */
  readonly title: string;
  /** What to write, in the order of the page. */
  readonly steps: readonly Step[];
  /** What the compiler says when only the steps before it are done. */
  readonly missing?: { readonly stepsBefore: number; readonly file: string; readonly message: string };
  /** A program that fails unless the recipe has its effect. */
  readonly program: string;
}

/** A new file, or a change of one. */
export interface Step {
  readonly file: string;
  readonly text: string;
  readonly change?: { readonly kind: ChangeKind; readonly anchor: string };
}

/** Whole lines before or after the line with the anchor, or another text for the anchor itself. */
type ChangeKind = "Before" | "After" | "Replace";

const PART = new RegExp(
  [
    /^# (?<title>.+)$/,
    /^## `(?<file>.+)`$/,
    /^## (?<program>See it)$/,
    /^(?<kind>Before|After|Replace) (?<quote>`+) ?(?<anchor>.+?) ?\k<quote>:$/,
    /^Alone, this does not compile\. In `(?<lacking>.+)`: `(?<message>.+)`$/,
    /^```\w+\n(?<text>[\s\S]*?)^```$/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** Reads a page of this folder. */
export function readRecipe(page: string): Recipe {
  const steps: Step[] = [];
  let title: string | undefined;
  let file: string | undefined;
  let program: string | undefined;
  let change: Step["change"];
  let missing: Recipe["missing"];
  for (const { groups: part = {} } of readFileSync(page, "utf8").matchAll(PART)) {
    title ??= part.title;
    if (part.file !== undefined || part.program !== undefined) ({ file, program } = part);
    const { kind, anchor } = part;
    if (isChangeKind(kind) && anchor !== undefined) change = { kind, anchor };
    if (part.lacking !== undefined && part.message !== undefined)
      missing = { stepsBefore: steps.length, file: part.lacking, message: part.message };
    if (part.text === undefined) continue;
    if (program !== undefined) program = part.text;
    else if (file === undefined) throw new Error(`${page} has code below no heading.`);
    else steps.push({ file, text: part.text, ...(change && { change }) });
    change = undefined;
  }
  if (title === undefined || program === undefined) throw new Error(`${page} lacks a title or 'See it'.`);
  return { title, steps, ...(missing && { missing }), program };
}

function isChangeKind(word: string | undefined): word is ChangeKind {
  return word === "Before" || word === "After" || word === "Replace";
}
