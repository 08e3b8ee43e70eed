import { PromptValidationError } from "../../core/base/errors.ts";
import type { SkillOperation } from "../../core/operations/bind-operations.ts";
import { settle } from "../../core/operations/operation.ts";
import { callTool } from "../../core/tool/call-tool.ts";
import { plainValue } from "../../core/tool/plain-value.ts";
import { jsonSchemaOf } from "../../core/tool/schema.ts";
import type { JsonSchema, SkillToolSchema, StandardSchema } from "../../core/tool/standard-schema.ts";
import { wrapSchema } from "../../core/tool/wrap-schema.ts";
import type { AnyParams } from "./section.ts";

/** A tool of a section, as it is written. A result that has a `render()` method is shown to the model by it. */
export interface SectionTool {
  readonly name: string;
  readonly description: string;
  /** A Standard Schema (zod, valibot, …) or a JSON Schema; without one any JSON value is accepted. */
  readonly inputSchema?: SkillToolSchema;
  readonly handler: (input: AnyParams, context: PromptToolContext) => unknown;
}

/** What a tool's handler may use besides its input. */
export interface PromptToolContext {
  /** The dotted key of the section that the tool belongs to. */
  readonly section: string;
  /** The skill that the section stands for, if it does. */
  readonly skill?: string;
  /** What the prompt is bound to. */
  readonly params: AnyParams;
  readonly signal: AbortSignal;
}

/** A tool that a rendered prompt offers, in no SDK's shape. */
export interface PromptTool extends Omit<SkillOperation, "id"> {
  /** The dotted key of the section that it belongs to. */
  readonly section: string;
}

/** Types a tool's input by its schema; the tool itself is what it would be as a plain object. */
export function defineTool<Input>(tool: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: StandardSchema<unknown, Input> | JsonSchema;
  readonly handler: (input: unknown extends Input ? AnyParams : Input, context: PromptToolContext) => unknown;
}): SectionTool {
  return Object.freeze({ ...tool });
}

/** Refuses what no provider takes. */
export function checkTool(tool: SectionTool, key: string): SectionTool {
  const refuse = (why: string): never => {
    throw new PromptValidationError(`Tool '${tool?.name}' of section '${key}' ${why}.`, [key]);
  };
  if (typeof tool?.name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(tool.name))
    refuse("needs a name of 1 to 64 letters, digits, '_' or '-'");
  if (tool.name === "open_sections") refuse("needs another name: that one opens sections");
  if (typeof tool.description !== "string" || tool.description.trim() === "") refuse("needs a description");
  if (typeof tool.handler !== "function") refuse("needs a handler function");
  return Object.isFrozen(tool) ? tool : Object.freeze({ ...tool });
}

/** The tool as it is offered: it answers with a result whatever happens, so that the conversation goes on. */
export function offerTool(tool: SectionTool, scope: Omit<PromptToolContext, "signal">): PromptTool {
  const { name, description, inputSchema, handler } = tool;
  const schema = jsonSchemaOf(inputSchema);
  const isWrapped = schema !== undefined && schema.type !== "object";
  const execute: PromptTool["execute"] = (input, { signal } = {}) =>
    settle(async () => {
      const checked = {
        name,
        ...(inputSchema !== undefined && { inputSchema }),
        handler: async (value: unknown, context: PromptToolContext) => shown(await handler(value, context)),
      };
      const result = await callTool(checked, isWrapped ? unwrap(input) : input, {
        owner: "",
        context: (toolSignal) => Object.freeze({ ...scope, signal: toolSignal }),
        signal,
        timeout: TOOL_TIMEOUT,
      });
      return { text: result.text, data: { tool: name, result: plainValue(result) } };
    });
  return Object.freeze({
    name,
    title: name,
    description,
    // Every protocol wants an object; another value is wrapped in one.
    inputSchema: isWrapped ? wrapSchema(schema, "input") : (schema ?? { type: "object" }),
    readOnly: false,
    section: scope.section,
    execute,
  });
}

const TOOL_TIMEOUT = 10 * 60_000;

function unwrap(input: unknown): unknown {
  return typeof input === "object" && input !== null && "input" in input ? input.input : undefined;
}

function shown(value: unknown): unknown {
  const render = typeof value === "object" && value !== null && "render" in value ? value.render : undefined;
  if (typeof render !== "function") return value;
  const text: unknown = render.call(value);
  if (typeof text === "string") return text;
  throw new Error("render() gave no text");
}
