import { asObject, asObjects, asText, type JsonObject } from "../wire/json.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { WireReading } from "../wire/wire.ts";

/**
 * Returns whether a request is not part of the conversation.
 *
 * Requests for titles and summaries have no tools, and those of reviewers and classifiers ask for JSON. Claude Code asks,
 * with all its tools, what the user might type next.
 */
export function isSideRequest(request: Pick<ReceivedRequest, "messages" | "tools">, schema?: JsonObject): boolean {
  if (request.tools.length === 0 || schema !== undefined) return true;
  return request.messages.findLast(({ role }) => role === "user")?.text.includes("[SUGGESTION MODE") === true;
}

/** Returns an answer that lets the agent continue: any text, or the smallest JSON that its schema allows. */
export function sideAnswer({ schema }: Pick<WireReading, "schema">): string {
  return schema === undefined ? "Scripted" : JSON.stringify(fillSchema(schema, schema));
}

/** A reviewer's verdict is one of a few words; this one lets the call pass. */
const PREFERRED = "allow";

const MAX_DEPTH = 20;

function fillSchema(schema: JsonObject, root: JsonObject, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const inner = (value: unknown) => fillSchema(asObject(value), root, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.includes(PREFERRED) ? PREFERRED : schema.enum[0];
  if (typeof schema.$ref === "string") return inner(resolve(schema.$ref, root));
  const [alternative] = asObjects(schema.anyOf ?? schema.oneOf ?? schema.allOf);
  if (alternative !== undefined) return inner(alternative);
  switch (typeOf(schema)) {
    case "object": {
      const properties = asObject(schema.properties);
      const names = Array.isArray(schema.required) ? schema.required.map(asText) : Object.keys(properties);
      return Object.fromEntries(names.map((name) => [name, inner(properties[name])]));
    }
    case "array":
      return Array.from({ length: Math.min(Number(schema.minItems ?? 0), 10) }, () => inner(schema.items));
    case "integer":
    case "number":
      return Number(schema.minimum ?? 0);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return "Scripted";
  }
}

/** Gemini writes types in capitals. */
function typeOf(schema: JsonObject): string {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (typeof type === "string") return type.toLowerCase();
  return schema.properties === undefined && Object.keys(schema).length > 0 ? "string" : "object";
}

function resolve(reference: string, root: JsonObject): unknown {
  const path = reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter((name) => name !== "");
  return path.reduce<unknown>((value, name) => asObject(value)[name], root);
}
