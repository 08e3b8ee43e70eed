/**
 * Shows formulas between `\(` and `\)`, or `\[` and `\]` on separate lines, as code. Markdown would remove the
 * backslashes and read the rest as emphasis. Code is unchanged.
 */
export function keepTexSource(text: string): string {
  if (!/\\[([]/.test(text)) return text;
  return text.replace(CODE_OR_TEX, (found, _ticks: string | undefined, tex: string | undefined) => {
    if (tex === undefined) return found;
    const source = tex.replace(/\s*\n\s*/g, " ");
    const ticks = "`".repeat(1 + Math.max(0, ...[...source.matchAll(/`+/g)].map(([run]) => run.length)));
    return `${ticks}${source}${ticks}`;
  });
}

/** Code comes first, so that nothing inside of it matches. */
const CODE_OR_TEX =
  /^ {0,3}(?:```|~~~)[\s\S]*?(?:^ {0,3}(?:```|~~~)|(?![\s\S]))|(`+)(?:[^`]|(?!\1)`)*?\1(?!`)|(\\\((?:[^\n\\]|\\[^)\n]|\n(?!\s*\n))+?\\\)|(?<=^ {0,3})\\\[(?:[^\\]|\\[^\]])+?\\\](?=\s*$))/gm;
