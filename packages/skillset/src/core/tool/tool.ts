import type { AnySchema } from "./standard-schema.ts";

/** A function in this program that a model may call: of a skill, of a section of a prompt, or of a run. */
// biome-ignore lint/suspicious/noExplicitAny: tools with inputs of different types are kept in one list
export interface Tool<Input = any, Output = unknown, Context extends ToolContext = ToolContext> {
  readonly name: string;
  readonly description: string;
  /** A Standard Schema (zod, valibot, …) or a JSON Schema; without one any JSON value is accepted. */
  readonly inputSchema?: AnySchema<Input>;
  /** Called with what the schema returns for the input. */
  readonly handler: (input: InputOf<Input>, context: Context) => Output | Promise<Output>;
}

/** What every tool's handler may use besides its input. */
export interface ToolContext {
  /** Aborted when the caller cancels, or when the call takes too long. */
  readonly signal: AbortSignal;
}

/** Infers the type of a tool's input from its schema. */
export function defineTool<Input, Output, Context extends ToolContext = ToolContext>(
  tool: Tool<Input, Output, Context>,
): Tool<Input, Output, Context> {
  return Object.freeze({ ...tool });
}

// biome-ignore lint/suspicious/noExplicitAny: without a typed schema the input is any JSON value
type InputOf<Input> = unknown extends Input ? any : Input;
