import type { JsonSchema, Skill, SkillTool } from "./skill.ts";

/** A section on the tools that the instructions do not mention, so that a model can call every one of them. */
export function documentTools({ tools }: Skill, body: string): string {
  const missing = tools.filter(({ name }) => !mentions(body, name));
  if (missing.length === 0) return "";
  return `\n\n## Available tools\n${missing.map(describe).join("")}`;
}

/** The JSON Schema of a tool's input, when it has one that can be written down. */
export function inputSchemaOf({ inputSchema }: SkillTool): JsonSchema | undefined {
  if (inputSchema === undefined || !("~standard" in inputSchema)) return inputSchema;
  const standard = inputSchema["~standard"] as { jsonSchema?: { input?: (options: object) => JsonSchema } };
  try {
    return standard.jsonSchema?.input?.({ target: "draft-2020-12" });
  } catch {
    // A schema that has no JSON form is still validated; the model learns its rules from the errors.
    return undefined;
  }
}

/** As a word of its own: `find` is not mentioned by "finding". */
function mentions(body: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(body);
}

function describe(tool: SkillTool): string {
  const schema = inputSchemaOf(tool);
  const input = schema === undefined ? "any JSON value" : `\`${JSON.stringify(schema)}\``;
  return `\n### ${tool.name}\n${tool.description}\nInput: ${input}\n`;
}
