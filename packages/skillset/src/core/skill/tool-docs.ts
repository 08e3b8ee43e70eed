import { jsonSchemaOf } from "../tool/schema.ts";
import type { Skill, SkillTool } from "./skill.ts";

/** Documents the tools that the instructions do not mention, so that a model can call all of them. */
export function documentTools({ tools }: Skill, body: string): string {
  return listTools(tools.filter(({ name }) => !mentions(body, name)));
}

/** Documents tools for a model. */
export function listTools(tools: readonly SkillTool[]): string {
  return tools.length === 0 ? "" : `\n\n## Available tools\n${tools.map(describe).join("")}`;
}

/** Matches whole words: "finding" does not mention `find`. */
function mentions(body: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(body);
}

function describe(tool: SkillTool): string {
  const schema = jsonSchemaOf(tool.inputSchema);
  const input = schema === undefined ? "any JSON value" : `\`${JSON.stringify(schema)}\``;
  return `\n### ${tool.name}\n${tool.description}\nInput: ${input}\n`;
}
