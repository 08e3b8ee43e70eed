import { NAMES } from "../base/limits.ts";
import type { JsonSchema } from "./standard-schema.ts";

/**
 * Returns an object schema, as providers require. Wraps any other schema in an object under `key`. `unwrapValue` with
 * the same arguments unwraps the value.
 */
export function wrapSchema(schema: JsonSchema | undefined, key: string = NAMES.input): JsonSchema {
  if (schema === undefined) return { type: "object", properties: { [key]: {} } };
  if (isObjectSchema(schema)) return schema;
  const { $schema: _, ...inner } = schema;
  const wrapped = { type: "object", required: [key], additionalProperties: false };
  if (!JSON.stringify(inner).includes('"$ref"')) return { ...wrapped, properties: { [key]: inner } };
  // References in the schema start at its root, which has moved.
  const moved = JSON.parse(JSON.stringify(inner), (name, value) =>
    name === "$ref" && typeof value === "string" && value.startsWith("#")
      ? value.replace(/^#/, `#/$defs/${key}`)
      : value,
  ) as JsonSchema;
  return { ...wrapped, properties: { [key]: { $ref: `#/$defs/${key}` } }, $defs: { [key]: moved } };
}

/** Unwraps a model's value for a wrapped schema. A model may omit the wrapper, or the whole value. */
export function unwrapValue(schema: JsonSchema | undefined, value: unknown, key: string = NAMES.input): unknown {
  if (isObjectSchema(schema) || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (Object.hasOwn(value, key)) return (value as Record<string, unknown>)[key];
  return schema === undefined && Object.keys(value).length === 0 ? undefined : value;
}

function isObjectSchema(schema: JsonSchema | undefined): boolean {
  return schema?.type === "object";
}
