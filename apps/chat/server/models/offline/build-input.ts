import type { FunctionTool } from "./read-request.ts";

type Schema = FunctionTool["inputSchema"];

/** The input for a tool call, or the required field that the message has no value for. */
export type BuiltInput =
  | { readonly outcome: "built"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly outcome: "missing"; readonly field: string };

/**
 * Fills a tool's required fields from a message: strings with its quoted parts, or one of them with the whole message;
 * numbers with its numbers, in order. It does not guess, and leaves validation to the tool.
 */
export function buildInput(schema: Schema, message: string): BuiltInput {
  const supply = suppliesOf(message);
  try {
    const input = valueFor(schema, "input", supply, 0);
    return { outcome: "built", input: (isRecord(input) ? input : { input }) as Record<string, unknown> };
  } catch (error) {
    if (error instanceof MissingValue) return { outcome: "missing", field: error.field };
    throw error;
  }
}

class MissingValue extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`No value for '${field}'`);
    this.field = field;
  }
}

/** The values in a message; each quoted part and each number is used once. */
interface Supplies {
  readonly message: string;
  readonly quoted: string[];
  readonly numbers: number[];
  isMessageGiven: boolean;
}

function suppliesOf(message: string): Supplies {
  const quoted = Array.from(
    message.matchAll(/"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|`([^`\n]+)`/g),
    (found) => (found.slice(1).find((part) => part !== undefined) ?? "").trim(),
  );
  const numbers = Array.from(message.matchAll(/(?<![\w.])-?\d{1,15}(?:\.\d{1,15})?(?![\w]|\.\d)/g), ([digits]) =>
    Number(digits),
  );
  return { message: message.trim(), quoted: quoted.filter(Boolean), numbers, isMessageGiven: false };
}

const DEEPEST = 4;

function valueFor(schema: unknown, field: string, supply: Supplies, depth: number): unknown {
  if (depth > DEEPEST) throw new MissingValue(field);
  const one = isRecord(schema) ? schema : {};
  if ("const" in one) return one.const;
  if (Array.isArray(one.enum)) return chosen(one.enum, field, supply);
  const branches = one.anyOf ?? one.oneOf;
  if (Array.isArray(branches)) return valueFor(branches[0], field, supply, depth + 1);
  const type = Array.isArray(one.type) ? one.type.find((name) => name !== "null") : one.type;
  switch (type ?? (isRecord(one.properties) ? "object" : "string")) {
    case "object":
      return objectFor(one, field, supply, depth);
    case "array":
      return listFor(one, field, supply);
    case "number":
    case "integer":
      return numberFor(type === "integer", field, supply);
    case "boolean":
      return booleanFor(field, supply);
    case "string":
      return textFor(field, supply);
    default:
      throw new MissingValue(field);
  }
}

function objectFor(schema: Record<string, unknown>, field: string, supply: Supplies, depth: number): unknown {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const label = (name: string) => (depth === 0 ? name : `${field}.${name}`);
  // Own properties only: a field may be named `constructor`.
  return Object.fromEntries(
    required.map((name) => [
      name,
      valueFor(Object.hasOwn(properties, name) ? properties[name] : {}, label(name), supply, depth + 1),
    ]),
  );
}

function listFor(schema: Record<string, unknown>, field: string, supply: Supplies): unknown[] {
  const type = isRecord(schema.items) ? schema.items.type : "string";
  const all =
    type === "number" || type === "integer"
      ? supply.numbers.splice(0)
      : type === "string" || type === undefined
        ? supply.quoted.splice(0)
        : [];
  if (all.length > 0) return all;
  if (type === "string" || type === undefined) return [textFor(field, supply)];
  throw new MissingValue(field);
}

function chosen(values: readonly unknown[], field: string, { message }: Supplies): unknown {
  const words: readonly string[] = message.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const found = values.find((value) => words.includes(String(value).toLowerCase()));
  if (found !== undefined) return found;
  if (values.length === 1) return values[0];
  throw new MissingValue(field);
}

function numberFor(isInteger: boolean, field: string, { numbers }: Supplies): number {
  const at = numbers.findIndex((number) => !isInteger || Number.isInteger(number));
  const [found] = at === -1 ? [] : numbers.splice(at, 1);
  if (found === undefined) throw new MissingValue(field);
  return found;
}

function booleanFor(field: string, { message }: Supplies): boolean {
  const [word] = /\b(?:true|yes|false|no)\b/i.exec(message) ?? [];
  if (word === undefined) throw new MissingValue(field);
  return /true|yes/i.test(word);
}

function textFor(field: string, supply: Supplies): string {
  const quoted = supply.quoted.shift();
  if (quoted !== undefined) return quoted;
  if (supply.isMessageGiven || supply.message === "") throw new MissingValue(field);
  supply.isMessageGiven = true;
  return supply.message;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
