/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object and not a list; otherwise an empty object. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the objects of a list; empty if the value is not a list. */
export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value if it is a string; otherwise an empty string. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
