import { SaxesParser } from "saxes";

/** A catalog as a model reads it. */
export interface ReadCatalog {
  /** The entries in order. Without a description, only the name is listed. */
  readonly entries: readonly { readonly name: string; readonly description: string | undefined }[];
  /** The names in groups. */
  readonly names: readonly string[];
  readonly note: string | undefined;
}

type Format = "xml" | "json" | "markdown" | "names";

/** Parses a catalog strictly: anything that is not an entry, a group of names or the note is an error. */
export function readCatalog(text: string, format: Format): ReadCatalog {
  return { xml: readXml, json: readJson, markdown: readLines, names: readLines }[format](text);
}

/** The names of a catalog, in any form. */
export function namesIn(text: string, format: Format): readonly string[] {
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

/** Lines of Markdown, without locations. */
function readLines(text: string): ReadCatalog {
  const [list = "", note, ...rest] = text.startsWith("- ") ? text.split("\n\n") : ["", text || undefined];
  if (rest.length > 0) throw new Error("Not a catalog");
  const entries: { name: string; description: string | undefined }[] = [];
  const names: string[] = [];
  for (const line of list === "" ? [] : list.split("\n")) {
    const [isBold, bold = "", description] = /^- \*\*((?:\\.|[^\\*])*)\*\*(?:: (.*))?$/.exec(line) ?? [];
    if (isBold) entries.push({ name: withoutEscapes(bold), description: description && withoutEscapes(description) });
    else if (line.startsWith("- ")) names.push(...line.slice(2).split(", ").map(withoutEscapes));
    else throw new Error(`Not a catalog: ${line}`);
  }
  return { entries, names, note };
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/gu, "$1");
}
