import { SaxesParser } from "saxes";
import type { CatalogFormat } from "../packages/skillset/src/core/catalog/catalog-format.ts";

/** A catalog as a model reads it. */
export interface ReadCatalog {
  /** The entries in order. Without a description, only the name is listed. */
  readonly entries: readonly { readonly name: string; readonly description: string | undefined }[];
  /** The names in groups. */
  readonly names: readonly string[];
  readonly note: string | undefined;
}

/** What reads a catalog, by format. Tests of escaping and of budgets read catalogs in every format. */
const READERS = {
  xml: readXml,
  json: readJson,
  markdown: readMarkdown,
  names: readNames,
} satisfies Record<CatalogFormat, (text: string) => ReadCatalog>;

/** Parses a catalog strictly: anything that is not an entry, a group of names or the note is an error. */
export function readCatalog(text: string, format: CatalogFormat): ReadCatalog {
  return READERS[format](text);
}

/** The names of a catalog, in any form. */
export function namesIn(text: string, format: CatalogFormat): readonly string[] {
  const { entries, names } = readCatalog(text, format);
  return [...entries.map(({ name }) => name), ...names];
}

function readXml(text: string): ReadCatalog {
  const path: string[] = [];
  const elements: { kind: string; texts: Record<string, string> }[] = [];
  const refuse = (what: unknown): never => {
    throw new Error(`Not a catalog: ${what}`);
  };
  const parser = new SaxesParser();
  for (const event of ["error", "cdata", "comment", "processinginstruction", "doctype"] as const)
    parser.on(event, refuse);
  parser.on("opentag", ({ name }) => {
    path.push(name);
    const place = path.join(">");
    if (/^available_skills>(skill|skills|note)$/.test(place))
      elements.push({ kind: name, texts: name === "note" ? { note: "" } : {} });
    else if (
      /^available_skills>(skill>(name|description|location|origin)|skills>(names|location|origin))$/.test(place)
    ) {
      const { texts } = elements.at(-1) ?? refuse(place);
      if (name in texts) refuse(`a second ${name}`);
      texts[name] = "";
    } else if (place !== "available_skills") refuse(place);
  });
  parser.on("closetag", () => path.pop());
  parser.on("text", (part) => {
    const [, kind, field = kind] = path;
    const texts = elements.at(-1)?.texts ?? {};
    if (field !== undefined && field in texts) texts[field] += part;
    else if (part.trim() !== "") refuse(part);
  });
  if (text !== "") parser.write(text).close();
  const of = (kind: string) => elements.filter((one) => one.kind === kind).map(({ texts }) => texts);
  return {
    entries: of("skill").map(({ name = "", description }) => ({ name, description })),
    names: of("skills").flatMap(({ names = "" }) => names.split(", ")),
    note: of("note")[0]?.note,
  };
}

function readJson(text: string): ReadCatalog {
  if (text === "") return { entries: [], names: [], note: undefined };
  const { available_skills: skills, note, ...rest } = JSON.parse(text);
  if (Object.keys(rest).length > 0) throw new Error("Not a catalog");
  return {
    entries: skills.flatMap(({ name, description }: { name?: string; description?: string }) =>
      name === undefined ? [] : [{ name, description }],
    ),
    names: skills.flatMap(({ names = [] }: { names?: string[] }) => names),
    note,
  };
}

/** Markdown without locations. */
function readMarkdown(text: string): ReadCatalog {
  const { lines, note } = readLines(text);
  const entries: { name: string; description: string | undefined }[] = [];
  const names: string[] = [];
  for (const line of lines) {
    const [isBold, bold = "", description] = /^- \*\*((?:\\.|[^\\*])*)\*\*(?:: (.*))?$/.exec(line) ?? [];
    if (isBold) entries.push({ name: withoutEscapes(bold), description: description && withoutEscapes(description) });
    else names.push(...line.slice(2).split(", ").map(withoutEscapes));
  }
  return { entries, names, note };
}

/** Each line is one name, because no name is in a group. */
function readNames(text: string): ReadCatalog {
  const { lines, note } = readLines(text);
  return {
    entries: lines.map((line) => ({ name: withoutEscapes(line.slice(2)), description: undefined })),
    names: [],
    note,
  };
}

/** Each line of a list starts with the same text. A note follows an empty line, or is alone. */
function readLines(
  text: string,
  start = "- ",
): { readonly lines: readonly string[]; readonly note: string | undefined } {
  const [list = "", note, ...rest] = text.startsWith(start) ? text.split("\n\n") : ["", text || undefined];
  const lines = list === "" ? [] : list.split("\n");
  const other = [...rest, ...lines.filter((line) => !line.startsWith(start))];
  if (other.length > 0) throw new Error(`Not a catalog: ${other[0]}`);
  return { lines, note };
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/gu, "$1");
}
