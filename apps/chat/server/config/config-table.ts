import { nearestNames } from "skillset/adapter";
import { isNetwork } from "./network.ts";
import { type KeyPath, placeIn } from "./setting-place.ts";

interface Document {
  readonly file: string;
  readonly text: string;
  /** Errors: values that cannot be used. */
  readonly mistakes: string[];
  /** Warnings: keys that are ignored. */
  readonly warnings: string[];
}

/**
 * Reads one table of the settings. Each key is read once, by type; unread keys are reported as unknown. Invalid values
 * are recorded and replaced by defaults, so that one start reports all mistakes.
 */
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

  has(key: string): boolean {
    return this.#take(key) !== undefined;
  }

  table(key: string): ConfigTable {
    return this.optionalTable(key) ?? this.#child({}, [key]);
  }

  optionalTable(key: string): ConfigTable | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (isTable(value)) return this.#child(value, [key]);
    this.#note(key, "must be a table");
    return undefined;
  }

  tables(key: string): readonly ConfigTable[] {
    const value = this.#take(key) ?? [];
    if (Array.isArray(value) && value.every(isTable)) return value.map((one, index) => this.#child(one, [key, index]));
    this.#note(key, "must be a list of tables");
    return [];
  }

  optionalText(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    this.#note(key, "must be a non-empty string");
    return undefined;
  }

  text(key: string, otherwise: string): string {
    return this.optionalText(key) ?? otherwise;
  }

  requiredText(key: string): string {
    if (this.#take(key) === undefined) this.#note(key, "is missing");
    return this.text(key, "");
  }

  requiredUrl(key: string): string {
    const value = this.requiredText(key);
    if (value !== "" && !/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
      this.#note(key, "must be a URL that starts with http:// or https://");
    }
    return value;
  }

  texts(key: string, otherwise: readonly string[]): readonly string[] {
    const value = this.#take(key) ?? otherwise;
    if (Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "")) return value;
    this.#note(key, "must be a list of non-empty strings");
    return otherwise;
  }

  networks(key: string): readonly string[] {
    const value = this.texts(key, []);
    if (value.every(isNetwork)) return value;
    this.#note(key, "must be a list of IP addresses or networks, such as '10.0.0.0/8'");
    return [];
  }

  boolean(key: string, otherwise: boolean): boolean {
    const value = this.#take(key) ?? otherwise;
    if (typeof value === "boolean") return value;
    this.#note(key, "must be true or false");
    return otherwise;
  }

  integer(key: string, otherwise: number, { min, max }: { readonly min: number; readonly max: number }): number {
    const value = this.#take(key) ?? otherwise;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    this.#note(key, `must be an integer from ${min} to ${max}`);
    return otherwise;
  }

  requiredNumber(key: string, { min, max }: { readonly min: number; readonly max: number }): number {
    const value = this.#take(key);
    if (typeof value === "number" && value >= min && value <= max) return value;
    this.#note(key, value === undefined ? "is missing" : `must be a number from ${min} to ${max}`);
    return min;
  }

  /** One of a list, or of the keys of an object; the default is the first. */
  choice<Text extends string>(key: string, choices: Readonly<Record<Text, unknown>> | readonly Text[]): Text {
    const known = (Array.isArray(choices) ? choices : Object.keys(choices)) as [Text, ...Text[]];
    const value = this.#take(key) ?? known[0];
    const chosen = known.find((one) => one === value);
    if (chosen === undefined) this.#note(key, `must be ${known.map((one) => `"${one}"`).join(" or ")}`);
    return chosen ?? known[0];
  }

  /** Reports unknown keys. Call it after reading all known ones. */
  warnOfUnknownKeys(): void {
    for (const key of Object.keys(this.#values)) {
      if (this.#known.has(key)) continue;
      const [near] = nearestNames(key, [...this.#known], 1);
      const hint = near === undefined ? "" : ` Did you mean '${near}'?`;
      this.#document.warnings.push(`${this.#place(key)}: '${this.#name(key)}' is not a known setting.${hint}`);
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

  #note(key: string, rule: string): void {
    const value = this.#values[key];
    const given = value === undefined ? "" : `, not ${JSON.stringify(value)?.slice(0, 80)}`;
    this.#document.mistakes.push(`${this.#place(key)}: '${this.#name(key)}' ${rule}${given}.`);
  }

  #place(key: string): string {
    return placeIn(this.#document, [...this.#path, key]);
  }

  #name(key: string): string {
    return [...this.#path.filter((part) => typeof part === "string"), key].join(".");
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
