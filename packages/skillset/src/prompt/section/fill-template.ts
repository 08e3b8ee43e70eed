import { PromptValidationError } from "../../core/base/errors.ts";

/**
 * Fills `$name` and `${name}`, and replaces `$$` with `$`, like Python's `string.Template`. Values are inserted
 * unchanged: a `$` in a value has no special meaning.
 */
export function fillTemplate(template: string, params: object, section: string): string {
  return template.replace(PLACEHOLDER, (_whole, dollar, plain, braced, offset: number) => {
    if (dollar !== undefined) return "$";
    const name = plain ?? braced;
    if (name === undefined) throw strayDollar(template, offset, section);
    return textOf(name, params, section);
  });
}

/** Removes a template's indentation and validates it. */
export function readTemplate(template: string, key: string): string {
  if (typeof template !== "string") {
    throw new PromptValidationError(`Section '${key}' requires a template: a string.`, [key]);
  }
  const text = dedent(template);
  checkTemplate(text, key);
  return text;
}

/** Throws if a `$` starts no placeholder, so that constructors find the mistake before rendering. */
function checkTemplate(template: string, section: string): void {
  for (const { 1: dollar, 2: plain, 3: braced, index } of template.matchAll(PLACEHOLDER)) {
    if ((dollar ?? plain ?? braced) === undefined) throw strayDollar(template, index, section);
  }
}

/** Returns the text without its common indentation and surrounding whitespace. */
export function dedent(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let margin: string | undefined;
  for (const line of lines) {
    const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
    if (indent.length < line.length) margin = margin === undefined ? indent : commonStart(margin, indent);
  }
  const { length } = margin ?? "";
  return lines
    .map((line) => (/^[ \t]*$/.test(line) ? "" : line.slice(length)))
    .join("\n")
    .trim();
}

const PLACEHOLDER = /\$(?:(\$)|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\}|)/g;

function strayDollar(template: string, offset: number, section: string): PromptValidationError {
  const before = template.slice(0, offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const message = `The template of section '${section}' has a '$' without a name (${place}). Write '$$' for a dollar sign.`;
  return new PromptValidationError(message, [section]);
}

/** Only own properties count, not inherited ones. */
function textOf(name: string, params: object, section: string): string {
  const value: unknown = Object.hasOwn(params, name) ? (params as Record<string, unknown>)[name] : undefined;
  if (value === undefined) {
    const message = `Section '${section}' requires a value for '$${name}'. Bind it, or set it in the section's 'defaultParams'.`;
    throw new PromptValidationError(message, [section]);
  }
  if (value !== null && ["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `of type ${typeof value}`;
  const message = `The value for '$${name}' in section '${section}' is ${kind}; it must be a string, number, bigint or boolean.`;
  throw new PromptValidationError(message, [section]);
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
