import { LIMITS } from "../../core/base/limits.ts";
import type { YamlEntry, YamlNode } from "../../core/manifest/yaml-node.ts";

/** Thrown for invalid JSON. `at` is the offset of the mistake. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Parses JSON into nodes with positions, which `JSON.parse` does not provide. Rejects duplicate keys. */
export function parseJson(source: string): YamlNode {
  const tokens = new Tokens(source);
  const root = readValue(tokens, 0);
  if (tokens.next.text !== "") throw tokens.unexpected("the end of the file");
  return root;
}

function readValue(tokens: Tokens, depth: number): YamlNode {
  const { kind, text, at } = tokens.next;
  if (depth > LIMITS.hard.yamlDepth) throw new JsonError("it is nested too deeply", at);
  if (kind === "string" || kind === "literal") {
    tokens.advance();
    return kind === "string"
      ? { kind: "scalar", at, text: JSON.parse(text) as string, plain: false }
      : { kind: "scalar", at, text, plain: true };
  }
  if (text === "{") return { kind: "mapping", at, entries: readList(tokens, "}", () => readEntry(tokens, depth)) };
  if (text === "[") return { kind: "sequence", at, items: readList(tokens, "]", () => readValue(tokens, depth + 1)) };
  throw tokens.unexpected("a value");
}

function readEntry(tokens: Tokens, depth: number): YamlEntry {
  const { kind, text, at } = tokens.next;
  if (kind !== "string") throw tokens.unexpected("a key in double quotes");
  tokens.advance();
  tokens.expect(":");
  return { key: JSON.parse(text) as string, at, value: readValue(tokens, depth + 1) };
}

/** Reads the comma-separated items between brackets. */
function readList<Item extends object>(tokens: Tokens, end: string, read: () => Item): Item[] {
  const items: Item[] = [];
  const keys = new Set<string>();
  tokens.advance();
  while (tokens.next.text !== end || items.length > 0) {
    const item = read();
    if ("key" in item) {
      const { key, at } = item as Item & YamlEntry;
      if (keys.has(key)) throw new JsonError(`${JSON.stringify(key)} is defined twice`, at);
      keys.add(key);
    }
    items.push(item);
    if (tokens.next.text === end) break;
    tokens.expect(",", end);
  }
  tokens.advance();
  return items;
}

interface Token {
  readonly kind: "string" | "literal" | "mark" | "none";
  /** Empty at the end of the input. */
  readonly text: string;
  readonly at: number;
}

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  /("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.+-])|([{}[\],:])/y;

class Tokens {
  next: Token;
  readonly #source: string;
  #position = 0;

  constructor(source: string) {
    this.#source = source;
    this.#position = source.startsWith("\uFEFF") ? 1 : 0;
    this.next = this.#read();
  }

  advance(): void {
    this.next = this.#read();
  }

  expect(mark: string, or = ""): void {
    if (this.next.text !== mark || this.next.kind !== "mark")
      throw this.unexpected(or === "" ? `'${mark}'` : `'${mark}' or '${or}'`);
    this.advance();
  }

  unexpected(wanted: string): JsonError {
    const { text, at } = this.next;
    const found = text === "" ? "the file ends here" : `'${text.slice(0, 20)}' is here`;
    return new JsonError(`${wanted} is missing: ${found}`, at);
  }

  #read(): Token {
    SPACE.lastIndex = this.#position;
    this.#position += SPACE.exec(this.#source)?.[0].length ?? 0;
    const at = this.#position;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(this.#source);
    this.#position += match?.[0].length ?? 0;
    if (match === null) return { kind: "none", text: this.#source.charAt(at), at };
    const kind = match[1] !== undefined ? "string" : match[2] !== undefined ? "literal" : "mark";
    return { kind, text: match[0], at };
  }
}
