import { StartError } from "../start-error.ts";
import { type KeyPath, lineOf } from "./line-of.ts";

interface Document {
  readonly file: string;
  readonly text: string;
  readonly warnings: string[];
}

/** One table of the settings: each key is asked for once, by its type, and what nobody asked for is pointed out. */
export class ConfigTable {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: KeyPath;
  readonly #document: Document;
  readonly #known = new Set<string>();
  readonly #children: ConfigTable[] = [];

  constructor(values: Readonly<Record<string, unknown>>, path: KeyPath, document: Document) {
    this.#values = values;
    this.#path = path;
    this.#document = document;
  }

  get warnings(): readonly string[] {
    return this.#document.warnings;
  }

  has(key: string): boolean {
    return this.#take(key) !== undefined;
  }

  table(key: string): ConfigTable {
    return this.optionalTable(key) ?? this.#child({}, [key]);
  }

  optionalTable(key: string): ConfigTable | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (!isTable(value)) throw this.#wrong(key, "must be a table");
    return this.#child(value, [key]);
  }

  tables(key: string): readonly ConfigTable[] {
    const value = this.#take(key) ?? [];
    if (!Array.isArray(value) || !value.every(isTable)) throw this.#wrong(key, "must be a list of tables");
    return value.map((one, index) => this.#child(one, [key, index]));
  }

  optionalText(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw this.#wrong(key, "must be a text that is not empty");
  }

  text(key: string, otherwise: string): string {
    return this.optionalText(key) ?? otherwise;
  }

  requiredText(key: string): string {
    const value = this.optionalText(key);
    if (value === undefined) throw this.#wrong(key, "is missing");
    return value;
  }

  requiredUrl(key: string): string {
    const value = this.requiredText(key);
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
      throw this.#wrong(key, "must be an address that starts with http:// or https://");
    }
    return value;
  }

  texts(key: string, otherwise: readonly string[]): readonly string[] {
    const value = this.#take(key) ?? otherwise;
    if (Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")) return value;
    throw this.#wrong(key, "must be a list of texts");
  }

  boolean(key: string, otherwise: boolean): boolean {
    const value = this.#take(key) ?? otherwise;
    if (typeof value !== "boolean") throw this.#wrong(key, "must be true or false");
    return value;
  }

  integer(key: string, otherwise: number, { min, max }: { readonly min: number; readonly max: number }): number {
    const value = this.#take(key) ?? otherwise;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.#wrong(key, `must be a whole number from ${min} to ${max}`);
  }

  /** To be called when everything was asked for. */
  warnOfUnknownKeys(): void {
    for (const key of Object.keys(this.#values)) {
      if (!this.#known.has(key))
        this.#document.warnings.push(`${this.#place(key)}: '${this.#name(key)}' is no setting.`);
    }
    for (const child of this.#children) child.warnOfUnknownKeys();
  }

  #take(key: string): unknown {
    this.#known.add(key);
    return this.#values[key];
  }

  #child(values: Readonly<Record<string, unknown>>, path: KeyPath): ConfigTable {
    const child = new ConfigTable(values, [...this.#path, ...path], this.#document);
    this.#children.push(child);
    return child;
  }

  #wrong(key: string, rule: string): StartError {
    const value = this.#values[key];
    const given = value === undefined ? "" : `, not ${JSON.stringify(value)?.slice(0, 80)}`;
    return new StartError(`${this.#place(key)}: '${this.#name(key)}' ${rule}${given}.`);
  }

  #place(key: string): string {
    const line = lineOf(this.#document.text, [...this.#path, key]);
    return line === undefined ? this.#document.file : `${this.#document.file}:${line}`;
  }

  #name(key: string): string {
    return [...this.#path.filter((part) => typeof part === "string"), key].join(".");
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
