/** What a JSON text holds when it is an object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value, if it is an object and not a list; else an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list; none when the value is no list. */
export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value, if it is a string; else an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
