import { endOfFence, FENCE } from "../../markdown/markdown-blocks.ts";

/** A part of a message: words as they were typed, or the code of a fence with its language. */
export type MessageSection =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string };

/** Splits a message at its fenced code. A fence that does not end is words: nothing says how far the code goes. */
export function splitFences(text: string): MessageSection[] {
  const lines = text.split(/\r\n|\r|\n/);
  const sections: MessageSection[] = [];
  let start = 0;
  for (let at = 0; at < lines.length && sections.length < 2 * MOST_BLOCKS; at++) {
    const [opening = "", indent = "", fence = ""] = FENCE.exec(lines[at] ?? "") ?? [];
    if (fence === "") continue;
    const end = endOfFence(fence);
    let close = at + 1;
    while (close < lines.length && !end.test(lines[close] ?? "")) close++;
    if (close === lines.length) break;
    sections.push({ kind: "words", text: lines.slice(start, at).join("\n") });
    const language = (lines[at] ?? "").slice(opening.length).trim().split(/\s/)[0] ?? "";
    const outdent = new RegExp(`^ {0,${indent.length}}`);
    const code = lines.slice(at + 1, close).map((line) => line.replace(outdent, ""));
    sections.push({ kind: "code", text: code.join("\n"), language });
    start = close + 1;
    at = close;
  }
  if (sections.length === 0) return [{ kind: "words", text }];
  sections.push({ kind: "words", text: lines.slice(start).join("\n") });
  // The blocks have margins, so blank lines around them are not shown.
  return sections
    .map((section) => (section.kind === "words" ? { ...section, text: trimLines(section.text) } : section))
    .filter(({ kind, text: shown }) => kind === "code" || shown !== "");
}

/** A page with tens of thousands of blocks does not respond. What follows is words. */
const MOST_BLOCKS = 500;

/** Removes blank lines at the start and end. The first line keeps its indent. */
function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
