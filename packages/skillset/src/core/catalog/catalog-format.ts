import { lazyRegExp } from "../base/lazy-regexp.ts";
import { escapeMarkdown, escapeSkillTags, escapeXml } from "../text/escape.ts";

/** What writes a catalog, by format. */
export const CATALOG_WRITERS = {
  xml: xmlWriter,
  json: jsonWriter,
  markdown: markdownWriter,
  names: namesWriter,
} satisfies Record<string, (indent: boolean) => CatalogWriter>;

export type CatalogFormat = keyof typeof CATALOG_WRITERS;
export const CATALOG_FORMATS = Object.keys(CATALOG_WRITERS) as readonly CatalogFormat[];

/** Writes the catalog in one format. Values are escaped here and nowhere else. */
export interface CatalogWriter {
  /** Writes one skill. Without a description, only its name is listed. A skill from another program has an origin. */
  entry(name: string, description: string | undefined, location: string | undefined, origin?: string): string;
  /** Writes many names in little space. Undefined if the format has one line for each name. */
  readonly group?: GroupWriter;
  /** False if entries never show descriptions. */
  readonly hasDescriptions?: false;
  /** Follows each entry. */
  readonly separator: string;
  /** Joins the entries, with an optional note about what is left out. */
  whole(entries: readonly string[], note: string | undefined): string;
}

export interface GroupWriter {
  /** Whether the name can be in a group, where it must not look like two names. */
  accepts(name: string): boolean;
  /** Writes one name, with what separates it from the next one. */
  name(name: string): string;
  /** Writes skills that have an origin and a place in common: `{name}` in the location is the name of each. */
  whole(names: readonly string[], location: string | undefined, origin: string | undefined): string;
}

function xmlWriter(indent: boolean): CatalogWriter {
  const [one, two] = indent ? ["  ", "    "] : ["", ""];
  const element = (name: string, text: string | undefined) =>
    text === undefined ? "" : `${two}<${name}>${escapeXml(text)}</${name}>\n`;
  return {
    entry: (name, description, location, origin) =>
      `${one}<skill>\n${element("name", name)}${element("description", description)}${element("location", location)}${element("origin", origin)}${one}</skill>\n`,
    group: {
      accepts: isPlain,
      name: (name) => `${name}, `,
      whole: (names, location, origin) =>
        `${one}<skills>\n${element("names", names.join(", "))}${element("location", location)}${element("origin", origin)}${one}</skills>\n`,
    },
    separator: "",
    whole: (entries, note) =>
      `<available_skills>\n${entries.join("")}${note === undefined ? "" : `${one}<note>${escapeXml(note)}</note>\n`}</available_skills>`,
  };
}

function jsonWriter(): CatalogWriter {
  return {
    // JSON leaves out keys whose value is undefined.
    entry: (name, description, location, origin) => json({ name, description, location, origin }),
    group: {
      accepts: () => true,
      name: (name) => `${json(name)},`,
      whole: (names, location, origin) => json({ names, location, origin }),
    },
    separator: ",",
    whole: (entries, note) =>
      `{"available_skills":[${entries.join(",")}]${note === undefined ? "" : `,"note":${json(note)}`}}`,
  };
}

/** A value must not look like text that the library adds to messages. This escape is exact: parsers return `<`. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/<(?=\/?skill_(?:content|notice))/gi, "\\u003c");
}

function markdownWriter(): CatalogWriter {
  return {
    entry: (name, description = "", location, origin) =>
      `- **${line(name)}**${description && `: ${line(description)}`}${inParentheses(location)}${inParentheses(origin)}`,
    group: {
      accepts: isPlain,
      name: (name) => `${line(name)}, `,
      whole: (names, location, origin) =>
        `- ${names.map(line).join(", ")}${inParentheses(location)}${inParentheses(origin)}`,
    },
    separator: "\n",
    whole: linesWithNote,
  };
}

function namesWriter(): CatalogWriter {
  return {
    entry: (name, _description, location, origin) =>
      `- ${line(name)}${inParentheses(location)}${inParentheses(origin)}`,
    hasDescriptions: false,
    separator: "\n",
    whole: linesWithNote,
  };
}

function line(text: string): string {
  return escapeSkillTags(escapeMarkdown(text));
}

/** Without the empty line, Markdown would make the note part of the last item. */
function linesWithNote(entries: readonly string[], note: string | undefined): string {
  const lines = entries.join("\n");
  if (note === undefined) return lines;
  return lines === "" ? note : `${lines}\n\n${note}`;
}

function inParentheses(location: string | undefined): string {
  return location === undefined ? "" : ` (${line(location)})`;
}

function isPlain(name: string): boolean {
  return PLAIN().test(name);
}

/** Lenient loading keeps names with spaces and commas, which separate names in a group. */
const PLAIN = lazyRegExp(String.raw`^[\p{L}\p{M}\p{N}_.:@/+-]+$`, "u");
