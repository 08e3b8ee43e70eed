/** The path of a value in the settings: table and key names, and list indexes. */
export type KeyPath = readonly (string | number)[];

/** The file, with the line if known. */
export function placeIn({ file, text }: { readonly file: string; readonly text: string }, path: KeyPath): string {
  const line = lineOf(text, path);
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * Returns the 1-based line of a key in a TOML text. If the key is missing or in an inline table, returns the line of the
 * nearest enclosing table or key. The parser reports positions for syntax errors, but not for values.
 */
function lineOf(text: string, path: KeyPath): number | undefined {
  const counts = new Map<string, number>();
  let table = "";
  let best: { readonly depth: number; readonly line: number } | undefined;
  for (const [index, source] of text.split("\n").entries()) {
    const header = /^\s*(\[{1,2})([^\]#]+)\]/.exec(source);
    const key = header === null ? /^\s*([\w.-]+|"[^"]*"|'[^']*')\s*=/.exec(source)?.[1] : undefined;
    if (header !== null) {
      table = plain(header[2] ?? "");
      if (header[1] === "[[") {
        const count = counts.get(table) ?? 0;
        counts.set(table, count + 1);
        table = `${table}.${count}`;
      }
    } else if (key === undefined) continue;
    const here = key === undefined ? table : [table, plain(key)].filter(Boolean).join(".");
    const depth = here.split(".").length;
    const wanted = path.slice(0, depth).join(".");
    if (here === wanted && depth > (best?.depth ?? 0)) best = { depth, line: index + 1 };
  }
  return best?.line;
}

function plain(key: string): string {
  return key.replace(/["'\s]/g, "");
}
