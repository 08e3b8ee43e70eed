import type { AnySchema, JsonSchema, StandardIssue, StandardSchema } from "./standard-schema.ts";

/** What a schema makes of a value, or what is wrong with it; without a schema any value will do. */
export async function checkValue(
  schema: AnySchema | undefined,
  value: unknown,
): Promise<{ readonly value: unknown; readonly issues: readonly string[] }> {
  if (schema === undefined) return { value, issues: [] };
  if (!isStandardSchema(schema)) return { value, issues: await checkJsonSchema(schema, value) };
  const result = await schema["~standard"].validate(value);
  if (result.issues !== undefined) return { value, issues: result.issues.map(describeIssue) };
  return { value: result.value, issues: [] };
}

/** The JSON Schema of what a schema takes, when it can be written down. */
export function jsonSchemaOf(schema: AnySchema | undefined): JsonSchema | undefined {
  if (schema === undefined || !isStandardSchema(schema)) return schema;
  const standard = schema["~standard"] as { jsonSchema?: { input?: (options: object) => JsonSchema } };
  try {
    return standard.jsonSchema?.input?.({ target: "draft-2020-12" });
  } catch {
    // A schema that has no JSON form still checks values; a model learns its rules from the errors.
    return undefined;
  }
}

function isStandardSchema(schema: AnySchema): schema is StandardSchema {
  return "~standard" in schema;
}

async function checkJsonSchema(schema: JsonSchema, value: unknown): Promise<string[]> {
  // Loaded here: few tools have a bare JSON Schema.
  const { Validator } = await import("@cfworker/json-schema");
  const { valid, errors } = new Validator(schema as object, "2020-12", false).validate(value);
  if (valid) return [];
  return errors
    .filter(({ keyword }) => keyword !== "properties")
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** One issue as a sentence's part: where, and what. */
export function describeIssue({ message, path = [] }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}
