import { isTextField, STANDARD_FIELDS } from "./field-place.ts";
import { parsePlainYaml } from "./plain-yaml.ts";
import { parseYaml, YamlError } from "./yaml.ts";

/** One repair of an invalid frontmatter. Lines start at 0 within the frontmatter. */
export interface Repair {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly fix: string;
  /** The value is shown to models, but the author's intent is not certain. */
  readonly isGuess?: boolean;
}

/**
 * Repairs invalid YAML frontmatter field by field: valid fields are kept, strings and list items get missing quotes,
 * and unreadable fields are left out. Returns undefined if no field is left.
 */
export function repairFrontmatter(source: string): { source: string; repairs: readonly Repair[] } | undefined {
  const repairs: Repair[] = [];
  const kept: string[] = [];
  const seen = new Set<string>();
  for (const field of splitFields(source)) {
    if (field.key === undefined) {
      if (field.lines.some((line) => line.trim() !== "" && !line.trimStart().startsWith("#")))
        repairs.push(leftOut(field));
      kept.push(...field.lines.map(() => ""));
    } else if (seen.has(field.key)) {
      repairs.push({
        ...placeOf(field),
        message: `'${field.key}' is defined twice. The first one is used.`,
        fix: `Remove the second '${field.key}'.`,
      });
      kept.push(...field.lines.map(() => ""));
    } else {
      seen.add(field.key);
      if (field.isStrayed) {
        const message = `'${field.key}' is indented as if it belonged to the line above.`;
        repairs.push({ ...placeOf(field), message, fix: `Remove the spaces and tabs before '${field.key}'.` });
      }
      const repaired = repairField(field, repairs);
      kept.push(...repaired, ...Array<string>(field.lines.length - repaired.length).fill(""));
    }
  }
  return seen.size === 0 ? undefined : { source: kept.join("\n"), repairs };
}

/**
 * Returns the offset of one of the two most common mistakes in a top-level field: a colon and a space in an unquoted
 * string, or a quote that is not closed although the next line is not indented. Returns -1 if there is none.
 */
export function findMistake(source: string): number {
  const colon = UNQUOTED_COLON.exec(source);
  if (colon !== null) return colon.index + colon[0].length - 2;
  const quote = UNCLOSED_QUOTE.exec(source);
  return quote === null ? -1 : quote.index + quote[0].length;
}

const UNQUOTED_COLON = /^[A-Za-z_][A-Za-z0-9_-]*: +[A-Za-z0-9(/._$+=;^\u00a1-\uffff](?:[^\n:#]|:(?! )|(?<! )#)*: /m;
const UNCLOSED_QUOTE =
  /^[A-Za-z_][A-Za-z0-9_-]*: +(?:"[^"\\\0-\x1f\x7f-\x9f]*|'[^'\0-\x1f\x7f-\x9f]*)(?:\n|(?![\s\S]))(?![ \t\n])/m;

interface Field {
  readonly key: string | undefined;
  readonly indent: number;
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** The key was indented by mistake. */
  readonly isStrayed: boolean;
}

const KEY_LINE = /^( *)([A-Za-z_][A-Za-z0-9_-]*):(?=[ \t]|$)/;
/** `name:value`, without the space. Only for the standard's fields, so that URLs do not match. */
const TIGHT_KEY_LINE = new RegExp(`^(${STANDARD_FIELDS.join("|")}):(?=[^\\s/])`);

/** One of the standard's fields, indented as if it belonged to the field above. */
const STRAYED_KEY_LINE = new RegExp(`^[ \\t]+(${STANDARD_FIELDS.join("|")}):(?=[ \\t]|$)`);

function hasValue(keyLine = ""): boolean {
  return /^[^:]*:[ \t]*[^ \t|>#]/.test(keyLine);
}

/** A field is its key line and all lines up to the next key on the same level. */
function splitFields(source: string, indent = 0, offset = 0): Field[] {
  const fields: Field[] = [];
  let open: (Omit<Field, "lines"> & { lines: string[] }) | undefined;
  let stray = "";
  for (const [index, line] of source.split("\n").entries()) {
    const match = KEY_LINE.exec(line) ?? (indent === 0 ? TIGHT_KEY_LINE.exec(line) : null);
    const key =
      match === null ? undefined : match.length === 2 ? match[1] : match[1]?.length === indent ? match[2] : undefined;
    const strayed =
      key === undefined && indent === 0 && (open === undefined || hasValue(open.lines[0]))
        ? STRAYED_KEY_LINE.exec(line)
        : null;
    if (key !== undefined || strayed !== null || open === undefined) {
      open = { key: key ?? strayed?.[1], indent, firstLine: offset + index, lines: [], isStrayed: strayed !== null };
      fields.push(open);
      stray = strayed === null ? "" : line.slice(0, line.length - line.trimStart().length);
    }
    // The lines below a wrongly indented key have the same extra indentation.
    open.lines.push(line.startsWith(stray) ? line.slice(stray.length) : line);
  }
  return fields;
}

function repairField(field: Field, repairs: Repair[]): readonly string[] {
  const at = failureIn(field.lines);
  if (at === undefined) return field.lines;
  const isText = isTextField(field.key ?? "");
  const inside = repairNested(field, repairs) ?? (isText ? undefined : mendList(field, repairs));
  if (inside !== undefined) return inside;
  const quoted = quote(field);
  if (failureIn([quoted]) !== undefined) {
    repairs.push(leftOut(field));
    return [];
  }
  // The author of a list or mapping did not mean a string.
  const isGuess = !isText && /^[^:]*:\s*(?:[[{]|- )/.test(field.lines.join("\n"));
  repairs.push({
    ...placeOf(field, at),
    message: `The value of '${field.key}' is not valid YAML. It is read as text.`,
    fix: isGuess
      ? "Close its brackets and quotes, and put items with special characters in quotes."
      : `Write ${quoted.trim()}`,
    ...(isGuess && { isGuess }),
  });
  return field.lines.map((line, index) => (index === 0 ? quoted : isComment(line, field) ? line : ""));
}

/** Whether a line below a key is a comment. One that is not indented further is never part of the value. */
function isComment(line: string, { indent }: Field): boolean {
  const start = line.length - line.trimStart().length;
  return line[start] === "#" && start <= indent;
}

function mendList(field: Field, repairs: Repair[]): readonly string[] | undefined {
  return repairItems(field, repairs) ?? repairInlineList(field, repairs);
}

/** Quotes the items of a list that need it, if each item is on a separate line. */
function repairItems(field: Field, repairs: Repair[]): readonly string[] | undefined {
  const [head = "", ...rest] = field.lines;
  if (!/:\s*$/.test(head) || !rest.some((line) => ITEM.test(line))) return undefined;
  const found: Repair[] = [];
  const repaired = rest.map((line, index) => {
    const [, dash = "", text = ""] = ITEM.exec(line) ?? [];
    if (text === "" || failureIn([head, line]) === undefined) return line;
    const quoted = dash + JSON.stringify(text);
    found.push({
      line: field.firstLine + 1 + index,
      column: dash.length,
      message: `An item of '${field.key}' is not valid YAML. It is read as text.`,
      fix: `Write ${quoted.trim()}`,
      ...(isUnfinished(text) && { isGuess: true }),
    });
    return quoted;
  });
  if (failureIn([head, ...repaired]) !== undefined) return undefined;
  repairs.push(...found);
  return [head, ...repaired];
}

/** Whether a text starts with a bracket, or with a quote that is not closed. */
function isUnfinished(text: string): boolean {
  const [first = ""] = text;
  return /[[{]/.test(first) || (/["']/.test(first) && text.split(first).length % 2 === 0);
}

const ITEM = /^( *- +)(?! )(.*\S)[ \t]*$/;

/** Does the same for `key: [a, b]`, if commas can only separate items. */
function repairInlineList(field: Field, repairs: Repair[]): readonly string[] | undefined {
  const [first = "", ...rest] = field.lines;
  const [, head = "", list] = INLINE_LIST.exec(first) ?? [];
  if (list === undefined || rest.some((line) => line.trim() !== "")) return undefined;
  const items = list.split(",").map((item) => item.trim());
  const quoted = items.map((item) => (failureIn([`${head}[${item}]`]) === undefined ? item : JSON.stringify(item)));
  const line = `${head}[${quoted.join(", ")}]`;
  if (failureIn([line]) !== undefined) return undefined;
  const message = `The list in '${field.key}' is not valid YAML. Its items are read as strings.`;
  repairs.push({ ...placeOf(field), message, fix: `Write ${line.trim()}` });
  return [line];
}

const INLINE_LIST = /^( *[^\s:][^:]*: *)\[([^[\]{}"'#]*)\][ \t]*$/;

/** Repairs the fields of a mapping one by one, if the lines look like a mapping. */
function repairNested(field: Field, repairs: Repair[]): readonly string[] | undefined {
  const [head = "", ...rest] = field.lines.map((line) => line.replaceAll("\t", "  "));
  const inner = rest.map((line) => KEY_LINE.exec(line)?.[1]?.length).find((length) => length !== undefined);
  if (!/:\s*$/.test(head) || inner === undefined || inner <= field.indent) return undefined;
  const found: Repair[] = [];
  const repaired = splitFields(rest.join("\n"), inner, field.firstLine + 1).flatMap((child) => {
    const lines = child.key === undefined ? child.lines : repairField(child, found);
    return [...lines, ...Array<string>(child.lines.length - lines.length).fill("")];
  });
  if (failureIn([head, ...repaired]) !== undefined) return undefined;
  if (field.lines.some((line) => /^ *\t/.test(line))) {
    found.push({ ...placeOf(field), message: `'${field.key}' is indented with tabs.`, fix: "Indent with spaces." });
  }
  repairs.push(...found);
  return [head, ...repaired];
}

function quote(field: Field): string {
  const { key, indent, lines } = field;
  const own = lines.filter((line, index) => index === 0 || !isComment(line, field));
  const text = own.map((line, index) => (index === 0 ? line.slice(line.indexOf(":") + 1) : line).trim());
  const joined = text.filter((line) => line !== "").join(" ");
  const block = /^[|>][+-]?\d?\s+(.*)$/s.exec(joined)?.[1] ?? joined;
  const bare = block.replace(/^(?:[&!][^\s,[\]{}]*\s+)+/, "");
  const wrapped =
    /^"(.*)"$/s.exec(bare)?.[1] ?? /^'(.*)'$/s.exec(bare)?.[1] ?? /^["']([^"']*)$/s.exec(bare)?.[1] ?? bare;
  return `${" ".repeat(indent)}${key}: ${JSON.stringify(wrapped)}`;
}

/** Returns where the lines stop being a YAML mapping, or undefined if they are one. */
function failureIn(lines: readonly string[]): number | undefined {
  const source = lines.join("\n");
  if (parsePlainYaml(source) !== undefined) return undefined;
  const text = source.trimStart();
  const mistake = text.trimEnd().includes("\n") ? -1 : findMistake(text);
  if (mistake !== -1) return mistake + source.length - text.length;
  try {
    return parseYaml(source).kind === "mapping" ? undefined : 0;
  } catch (error) {
    return error instanceof YamlError ? error.at : 0;
  }
}

function leftOut(field: Field): Repair {
  const what = field.key === undefined ? "This text" : `'${field.key}'`;
  return {
    ...placeOf(field),
    message: `${what} is not valid YAML and is left out.`,
    fix: "Write it as 'key: value', with quotes around the value.",
  };
}

/** Returns the position of an offset in the field's lines. The default is the first line. */
function placeOf(field: Field, at = 0): { line: number; column: number } {
  if (at > 0) {
    const before = field.lines.join("\n").slice(0, at).split("\n");
    return { line: field.firstLine + before.length - 1, column: before.at(-1)?.length ?? 0 };
  }
  const first = field.lines.findIndex((line) => line.trim() !== "");
  return { line: field.firstLine + Math.max(first, 0), column: field.indent };
}
