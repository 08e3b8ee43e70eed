import { PromptValidationError } from "../../core/base/errors.ts";
import { callForModel } from "../../core/tool/call-tool.ts";
import { type ModelTool, toModelTool } from "../../core/tool/model-tool.ts";
import type { Tool, ToolContext } from "../../core/tool/tool.ts";
import type { AnyParams } from "./section.ts";

/** What the handler of a section's tool may use besides its input. */
export interface SectionToolContext extends ToolContext {
  /** The dotted key of the section that the tool belongs to. */
  readonly section: string;
  /** The skill that the section stands for, if it does. */
  readonly skill?: string;
  /** What the prompt is bound to. */
  readonly params: AnyParams;
}

/** Refuses what no provider takes. */
export function checkTool<Checked extends Tool<AnyParams, unknown, SectionToolContext>>(
  tool: Checked,
  key: string,
): Checked {
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

/**
 * The tool as it is offered: it answers with a result whatever happens, so that the conversation goes on. A value that
 * has a `render()` method is shown to the model by it.
 */
export function offerTool<Input>(
  tool: Tool<Input, unknown, SectionToolContext>,
  scope: Omit<SectionToolContext, "signal">,
): ModelTool {
  const rendering: typeof tool = {
    ...tool,
    handler: async (input, context) => shown(await tool.handler(input, context)),
  };
  const context = (signal: AbortSignal): SectionToolContext => Object.freeze({ ...scope, signal });
  return toModelTool(
    tool,
    (input, signal) => callForModel(rendering, input, { context, signal, timeout: TOOL_TIMEOUT }),
    { section: scope.section },
  );
}

const TOOL_TIMEOUT = 10 * 60_000;

function shown(value: unknown): unknown {
  const render = typeof value === "object" && value !== null && "render" in value ? value.render : undefined;
  if (typeof render !== "function") return value;
  const text: unknown = render.call(value);
  if (typeof text === "string") return text;
  throw new Error("render() gave no text");
}
