import { SkillError } from "../base/errors.ts";
import { checkOptions } from "../text/check-options.ts";
import { describeValue } from "../text/describe-value.ts";
import type { JsonSchema } from "./standard-schema.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** What a module of a skill exports: tools that are available while the skill is active. */
export interface Toolset {
  readonly tools: readonly ToolsetTool[];
}

/** A tool of a toolset. Its input is validated with the JSON Schema before the handler is called. */
interface ToolsetTool extends Omit<Tool, "inputSchema"> {
  readonly inputSchema?: JsonSchema;
  /** Returns a value that JSON can represent. */
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema carries no types
  readonly handler: (input: any, context: ToolContext) => unknown;
}

/**
 * Returns the toolset unchanged, with its fields and types checked. A module of a skill cannot import packages: write
 * `satisfies import("skillset").Toolset` there, or a JSDoc type.
 * @example
 * ```ts
 * import { defineToolset } from "skillset";
 *
 * export const Greeting = defineToolset({
 *   tools: [{ name: "greet", description: "Greets somebody.", handler: ({ name }) => `Hello, ${name}.` }],
 * });
 * ```
 */
export function defineToolset<Given extends Toolset>(toolset: Given): Given {
  checkOptions("defineToolset()", toolset, { tools: true });
  if (!Array.isArray(toolset?.tools))
    throw new SkillError(
      "option-invalid",
      `defineToolset() needs 'tools', a list; got ${describeValue(toolset?.tools)}.`,
    );
  return toolset;
}
