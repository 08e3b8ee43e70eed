/** Returns the value of the last JSON block in an answer, or the whole answer parsed as JSON. */
export function resultIn(text: string): { readonly value: unknown } | undefined {
  for (const candidate of [lastJsonBlock(text), text]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) };
    } catch {}
  }
  return undefined;
}

/** Reads the lines once: a long answer may contain thousands of unclosed fences. */
function lastJsonBlock(text: string): string | undefined {
  let open: { readonly marks: string; readonly isJson: boolean; readonly start: number } | undefined;
  let last: string | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const [marks = ""] = /^`{3,}/.exec(line.trimStart()) ?? [];
    if (open === undefined) {
      const [, fence, language] = OPENING.exec(line) ?? [];
      const isJson = language === "" || language === "json";
      if (fence !== undefined) open = { marks: fence, isJson, start: start + line.length + 1 };
    } else if (marks.startsWith(open.marks)) {
      if (open.isJson) last = text.slice(open.start, start);
      open = undefined;
    }
    start += line.length + 1;
  }
  return last;
}

/** A fence and its language, possibly after other text on the line. */
const OPENING = /(?<!`)(`{3,})(\w*)\s*$/;
