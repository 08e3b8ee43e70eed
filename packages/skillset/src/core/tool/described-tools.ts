import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { faultOf } from "./check-tool.ts";
import { checkValue } from "./schema.ts";
import type { JsonSchema, StandardSchema } from "./standard-schema.ts";
import type { DescribedTool } from "./tool.ts";

/** Checks the tools that a module describes as JSON. Throws the reason if one of them is invalid. */
export function toDescribedTools(described: unknown): readonly DescribedTool[] {
  if (!Array.isArray(described)) throw fault("its 'tools' must be an array");
  const { toolsInToolset, toolDescriptionCharacters, toolSchema } = LIMITS.hard;
  if (described.length > toolsInToolset)
    throw fault(`it has ${described.length} tools, and the maximum is ${toolsInToolset}`);
  const names = new Set<string>();
  const tools = described.map((one: unknown): DescribedTool => {
    const { name, description, inputSchema, hasHandler } = isObject(one) ? one : {};
    const shown = typeof name === "string" ? name.slice(0, LIMITS.shown.nameCharacters) : String(typeof name);
    const problem = faultOf({ name, description, handler: hasHandler === true ? () => {} : undefined });
    if (problem !== undefined) throw fault(`tool '${shown}' ${problem}`);
    if (names.has(name as string)) throw fault(`it has two tools named '${shown}'`);
    names.add(name as string);
    const text = description as string;
    if (text.length > toolDescriptionCharacters)
      throw fault(`the description of tool '${shown}' has more than ${toolDescriptionCharacters} characters`);
    if (inputSchema === undefined) return { name: name as string, description: text };
    if (!isObject(inputSchema) || "~standard" in inputSchema)
      throw fault(`the 'inputSchema' of tool '${shown}' must be a JSON Schema`);
    if (JSON.stringify(inputSchema).length > toolSchema)
      throw fault(`the 'inputSchema' of tool '${shown}' has more than ${toolSchema} characters`);
    return { name: name as string, description: text, inputSchema: toSchema(inputSchema) };
  });
  if (JSON.stringify(described).length > LIMITS.hard.toolset)
    throw fault(`its descriptions and schemas have more than ${LIMITS.hard.toolset} characters`);
  return tools;
}

function fault(reason: string): SkillError {
  return new SkillError("toolset-failed", reason);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Shows the schema to models, and checks values with all of it but regular expressions: one could block the program. */
function toSchema(schema: JsonSchema): StandardSchema {
  const checked = withoutPatterns(schema) as JsonSchema;
  const standard = {
    version: 1 as const,
    vendor: "skillset",
    validate: async (value: unknown) => {
      const { issues } = await checkValue(checked, value);
      return issues.length === 0 ? { value } : { issues: issues.map((message) => ({ message })) };
    },
    jsonSchema: { input: () => schema },
  };
  return { "~standard": standard };
}

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const { pattern: _pattern, patternProperties, ...rest } = schema;
  const kept = Object.entries(rest).filter(([key]) => patternProperties === undefined || !OTHER_PROPERTIES.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPatternsIn(key, value)]));
}

function withoutPatternsIn(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  if (!NAMED_SCHEMAS.has(keyword) || !isObject(value)) return withoutPatterns(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutPatterns(schema)]));
}

/** Keywords for the properties that no pattern matches. */
const OTHER_PROPERTIES: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);
/** Keywords with values instead of schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);
/** Keywords with schemas by names, which may be those of keywords. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
