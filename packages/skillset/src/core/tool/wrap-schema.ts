import type { JsonSchema } from "./standard-schema.ts";

/** An object with a value of this schema in it, because a tool's input is always an object. */
export function wrapSchema({ $schema: _, ...schema }: JsonSchema, key: string): JsonSchema {
  if (!JSON.stringify(schema).includes('"$ref"'))
    return { type: "object", properties: { [key]: schema }, required: [key] };
  // References within the schema start at its root, which is elsewhere now.
  const moved = JSON.parse(JSON.stringify(schema), (name, value) =>
    name === "$ref" && typeof value === "string" && value.startsWith("#")
      ? value.replace(/^#/, `#/$defs/${key}`)
      : value,
  ) as JsonSchema;
  return {
    type: "object",
    properties: { [key]: { $ref: `#/$defs/${key}` } },
    required: [key],
    $defs: { [key]: moved },
  };
}
