import { CONTAINERS, describeSchemaError } from "./describe-schema-error.ts";
import type { AnySchema, JsonSchema, StandardIssue, StandardSchema } from "./standard-schema.ts";

/** Validates a value. Returns the schema's output, or the issues. Without a schema, any value is valid. */
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

/** Returns the JSON Schema of a schema's input, if there is one. */
export function jsonSchemaOf(schema: AnySchema | undefined): JsonSchema | undefined {
  if (schema === undefined || !isStandardSchema(schema)) return schema;
  const standard = schema["~standard"] as { jsonSchema?: { input?: (options: object) => JsonSchema } };
  try {
    const found = standard.jsonSchema?.input?.({ target: "draft-2020-12" });
    // A copy, because zod's has a hidden `~standard`, and the Agents SDK then expects a Standard Schema.
    return found && { ...found };
  } catch {
    // A schema without a JSON form still validates. The model learns its rules from the errors.
    return undefined;
  }
}

function isStandardSchema(schema: AnySchema): schema is StandardSchema {
  return "~standard" in schema;
}

async function checkJsonSchema(schema: JsonSchema, value: unknown): Promise<string[]> {
  // Loaded on demand: few tools have a plain JSON Schema.
  const { Validator } = await import("@cfworker/json-schema");
  const { valid, errors } = new Validator(schema as object, "2020-12", false).validate(value);
  if (valid) return [];
  return errors.filter(({ keyword }) => !CONTAINERS.has(keyword)).map(describeSchemaError);
}

/** Formats one issue with its path. */
export function describeIssue({ message, path = [] }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}
