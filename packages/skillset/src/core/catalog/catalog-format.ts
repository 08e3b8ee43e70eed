import { escapeMarkdown, escapeXml } from "../text/escape.ts";

export type CatalogFormat = "xml" | "json" | "markdown" | "names";

/** Writes the catalog in one format. Values are escaped here and nowhere else. */
export interface CatalogWriter {
  /** Writes one skill. Without a description, only its name is listed. A skill from another program has an origin. */
  entry(name: string, description: string | undefined, location: string | undefined, origin?: string): string;
  /** Joins the entries, with an optional note about what is left out. */
  whole(entries: readonly string[], note: string | undefined): string;
}

export const CATALOG_WRITERS: Readonly<Record<CatalogFormat, (indent: boolean) => CatalogWriter>> = {
  xml: xmlWriter,
  json: () => ({
    // JSON leaves out keys whose value is undefined.
    entry: (name, description, location, origin) => JSON.stringify({ name, description, location, origin }),
    whole: (entries, note) =>
      `{"available_skills":[${entries.join(",")}]${note === undefined ? "" : `,"note":${JSON.stringify(note)}`}}`,
  }),
  markdown: () => ({
    entry: (name, description = "", location, origin) =>
      `- **${escapeMarkdown(name)}**${description && `: ${escapeMarkdown(description)}`}${inParentheses(location)}${inParentheses(origin)}`,
    whole: linesWithNote,
  }),
  names: () => ({
    entry: (name, _description, location, origin) =>
      `- ${escapeMarkdown(name)}${inParentheses(location)}${inParentheses(origin)}`,
    whole: linesWithNote,
  }),
};

function xmlWriter(indent: boolean): CatalogWriter {
  const [one, two] = indent ? ["  ", "    "] : ["", ""];
  const element = (name: string, text: string | undefined) =>
    text === undefined ? "" : `${two}<${name}>${escapeXml(text)}</${name}>\n`;
  return {
    entry: (name, description, location, origin) =>
      `${one}<skill>\n${element("name", name)}${element("description", description)}${element("location", location)}${element("origin", origin)}${one}</skill>\n`,
    whole: (entries, note) =>
      `<available_skills>\n${entries.join("")}${note === undefined ? "" : `${one}<note>${escapeXml(note)}</note>\n`}</available_skills>`,
  };
}

/** Without the empty line, Markdown would make the note part of the last item. */
function linesWithNote(entries: readonly string[], note: string | undefined): string {
  const lines = entries.join("\n");
  if (note === undefined) return lines;
  return lines === "" ? note : `${lines}\n\n${note}`;
}

function inParentheses(location: string | undefined): string {
  return location === undefined ? "" : ` (${escapeMarkdown(location)})`;
}
