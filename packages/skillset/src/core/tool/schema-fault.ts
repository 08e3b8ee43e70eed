import { describeValue } from "../text/describe-value.ts";

/**
 * Returns why models cannot see a schema, to follow "a schema". Schemas of other libraries without a JSON Schema are not
 * faults: they validate, and a description can have the parameters.
 */
export function schemaFaultOf(schema: unknown): string | undefined {
  const isObject = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  if (!isObject && !isStandard(schema)) return `that is ${describeValue(schema)}. ${PASS}`;
  if (!("~standard" in schema) && isZod3(schema)) return NO_JSON.zod3;
  if (!isStandard(schema)) return Object.values(schema).some(isField) ? FIELDS : undefined;
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor !== "zod" || jsonSchema !== undefined) return undefined;
  return isZod3(schema) ? NO_JSON.zod3 : NO_JSON.zod4;
}

const PASS = "Pass a Standard Schema, such as z.object({ … }), or a JSON Schema";
const FIELDS = "whose fields are schemas. Wrap them in one schema, such as z.object({ … })";
const NO_JSON = {
  zod3: noJson("zod 3", "'zod-to-json-schema'"),
  zod4: noJson("zod/mini or a zod older than 4.2", "'z.toJSONSchema()'"),
};

function noJson(library: string, converter: string): string {
  return `from ${library}, which models cannot see: it has no JSON Schema. Import from 'zod' 4.2 or newer, or convert it with ${converter}`;
}

function isField(value: unknown): boolean {
  return isStandard(value) || isZod3(value);
}

function isStandard(value: unknown): value is { readonly "~standard": { vendor?: unknown; jsonSchema?: unknown } } {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = (value as Record<string, unknown>)["~standard"];
  return typeof standard === "object" && standard !== null;
}

/** Before 3.24, zod had no Standard Schema. */
function isZod3(value: unknown): boolean {
  const { _def: definition } = (value ?? {}) as { _def?: { typeName?: unknown } };
  return String(definition?.typeName).startsWith("Zod");
}
