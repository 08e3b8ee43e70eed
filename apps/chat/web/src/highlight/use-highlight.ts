import { type RefObject, useEffect, useRef } from "react";
import { findRuns } from "./find-runs.ts";
import { languageOf } from "./language-of.ts";

/**
 * Colours the code in an element whose only child is its text. Browsers colour ranges of the text, so no element is
 * added and nothing is laid out again. Waits until the text has stopped growing.
 */
export function useHighlight(code: RefObject<HTMLElement | null>, text: string, label: string): void {
  const coloured = useRef<Coloured[]>([]);
  useEffect(() => {
    const language = languageOf(label);
    if (language === undefined || text.length > LONGEST || !("highlights" in CSS)) return;
    let isGone = false;
    const timer = setTimeout(async () => {
      const runs = await findRuns(text, language);
      const node = code.current?.firstChild;
      if (isGone || !(node instanceof Text) || node.data !== text) return;
      clear(coloured.current);
      coloured.current = runs.map(([kind, start, end]) => colour(kind, node, start, end));
    }, STILL_FOR);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [code, text, label]);
  useEffect(() => () => clear(coloured.current), []);
}

const LONGEST = 30_000;
/** Milliseconds. Longer than an answer takes from one update to the next. */
const STILL_FOR = 150;

interface Coloured {
  readonly highlight: Highlight;
  readonly range: Range;
}

function colour(kind: string, node: Text, start: number, end: number): Coloured {
  const name = `code-${kind}`;
  const highlight = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, highlight);
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  highlight.add(range);
  return { highlight, range };
}

function clear(coloured: Coloured[]): void {
  for (const { highlight, range } of coloured.splice(0)) highlight.delete(range);
}
