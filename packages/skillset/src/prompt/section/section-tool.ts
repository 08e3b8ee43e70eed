import { PromptValidationError } from "../../core/base/errors.ts";
import { DEFAULTS, NAMES } from "../../core/base/limits.ts";
import { callForModel } from "../../core/tool/call-tool.ts";
import { faultOf } from "../../core/tool/check-tool.ts";
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
  const isTaken = tool?.name === NAMES.openSections;
  const fault = isTaken ? "needs another name: that one opens sections" : faultOf(tool);
  if (fault !== undefined) throw new PromptValidationError(`Tool '${tool?.name}' of section '${key}' ${fault}.`, [key]);
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
    (input, signal) => callForModel(rendering, input, { context, signal, timeout: DEFAULTS.ownToolTimeout }),
    { section: scope.section },
  );
}

function shown(value: unknown): unknown {
  const render = typeof value === "object" && value !== null && "render" in value ? value.render : undefined;
  if (typeof render !== "function") return value;
  const text: unknown = render.call(value);
  if (typeof text === "string") return text;
  throw new Error("render() gave no text");
}
