/** Marks code that is a formula. A text that has it anyway at most shows a formula. */
const MARK = "\u{E000}";

/**
 * Turns formulas into marked code: between `\(` and `\)` or dollar signs, and between `\[` and `\]` or double dollar
 * signs as separate lines. Markdown would remove the backslashes and read the rest as emphasis. Code is unchanged.
 */
export function markTex(text: string): string {
  if (!/\\[([]|\$/.test(text)) return text;
  return text.replace(CODE_OR_TEX, (...match) => {
    const [found] = match;
    const { round, square, dollars, dollar } = match.at(-1) as Readonly<Record<string, string | undefined>>;
    const inline = round ?? dollar;
    const tex = inline ?? square ?? dollars;
    if (tex === undefined) return found;
    const line = tex
      .split("\n")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(" ");
    const source = inline === undefined ? `\\[${line}\\]` : `\\(${line}\\)`;
    const ticks = "`".repeat(1 + Math.max(0, ...[...source.matchAll(/`+/g)].map(([run]) => run.length)));
    return `${ticks}${MARK}${source}${ticks}`;
  });
}

/** The formula in marked code, with its delimiters, or undefined for other code. */
export function texIn(code: string): string | undefined {
  return code.startsWith(MARK) ? code.slice(MARK.length) : undefined;
}

// Amounts of money are no formulas. The first dollar sign of a formula has no letter or digit before it and no space
// after it. The second one has no space before it and no letter or digit after it.
const CODE_OR_TEX = new RegExp(
  [
    // Code comes first, so that nothing inside of it matches.
    /^ {0,3}(?:```|~~~)[\s\S]*?(?:^ {0,3}(?:```|~~~)|(?![\s\S]))/,
    /(?<!`)(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)/,
    /(?<!\\)\\\((?<round>(?:[^\n\\]|\\[^()\n]|\n(?!\s*\n)){1,2000}?)\\\)/,
    /(?<=^ {0,3})\\\[(?<square>(?:[^\\]|\\[^\][]){1,4000}?)\\\](?=\s*$)/,
    /(?<![\\$])\$\$(?!\$)(?<dollars>(?:[^$\\\n]|\\[^\n]|\n(?!\s*\n)){1,2000}?)\$\$(?!\$)/,
    /(?<![\\$\w])\$(?![\s$])(?<dollar>(?:[^$\\\n`]|\\[^\n]){1,400}?)(?<!\s)\$(?![\w$])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);
