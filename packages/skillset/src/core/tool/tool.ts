import { SkillError } from "../base/errors.ts";
import { schemaFault } from "./check-tool.ts";
import type { AnySchema } from "./standard-schema.ts";

/** A function that a model may call. Belongs to a skill, a prompt section or a run. */
// biome-ignore lint/suspicious/noExplicitAny: tools with inputs of different types are kept in one list
export interface Tool<Input = any, Output = unknown, Context extends ToolContext = ToolContext> {
  readonly name: string;
  readonly description: string;
  /** A Standard Schema (zod, valibot, …) or a JSON Schema. If omitted, any JSON value is accepted. */
  readonly inputSchema?: AnySchema<Input>;
  /** Called with the schema's output for the input. */
  readonly handler: (input: InputOf<Input>, context: Context) => Output | Promise<Output>;
}

/** What is told of a tool. */
export type DescribedTool = Pick<Tool, "name" | "description" | "inputSchema">;

/** The second argument of a tool's handler. */
export interface ToolContext {
  /** Aborted when the caller cancels or the call times out. */
  readonly signal: AbortSignal;
}

/**
 * Defines a tool, and infers the type of its input from the schema.
 * @example
 * ```ts
 * import { defineSkill, defineTool } from "skillset";
 *
 * const timer = defineTool({
 *   name: "set_timer",
 *   description: "Sets a timer.",
 *   inputSchema: { type: "object", properties: { minutes: { type: "number" } }, required: ["minutes"] },
 *   handler: ({ minutes }) => `The timer is set to ${minutes} minutes.`,
 * });
 * const tea = defineSkill({ name: "brew-tea", description: "Brews tea.", body: "Set a timer.", tools: [timer] });
 * console.log(tea.tools.length);
 * ```
 */
export function defineTool<Input, Output, Context extends ToolContext = ToolContext>(
  tool: Tool<Input, Output, Context>,
): Tool<Input, Output, Context> {
  const fault = schemaFault(tool);
  if (fault !== undefined) throw new SkillError("option-invalid", `Tool '${tool.name}' ${fault}.`);
  return Object.freeze({ ...tool });
}

// biome-ignore lint/suspicious/noExplicitAny: without a typed schema the input is any JSON value
type InputOf<Input> = unknown extends Input ? any : Input;
