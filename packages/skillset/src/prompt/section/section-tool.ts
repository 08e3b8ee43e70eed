import { PromptValidationError } from "../../core/base/errors.ts";
import { DEFAULTS, NAMES } from "../../core/base/limits.ts";
import { callForModel } from "../../core/tool/call-tool.ts";
import { faultOf } from "../../core/tool/check-tool.ts";
import { type PreparedTool, toModelTool } from "../../core/tool/model-tool.ts";
import type { Tool, ToolContext } from "../../core/tool/tool.ts";
import type { AnyParams } from "./section.ts";

/** The context that the handler of a section's tool receives. */
export interface SectionToolContext extends ToolContext {
  /** The dotted key of the section that the tool belongs to. */
  readonly section: string;
  /** The name of the section's skill, if it has one. */
  readonly skill?: string;
  /** The parameters of the prompt. */
  readonly params: AnyParams;
}

const RESERVED: ReadonlySet<string> = new Set([
  NAMES.openSections,
  NAMES.readSection,
  NAMES.returnResult,
  NAMES.callTool,
]);

/** Rejects tools that no provider accepts. */
export function checkTool<Checked extends Tool<AnyParams, unknown, SectionToolContext>>(
  tool: Checked,
  key: string,
): Checked {
  const isTaken = RESERVED.has(tool?.name);
  const fault = isTaken ? "has a reserved name; choose another name" : faultOf(tool);
  if (fault !== undefined) throw new PromptValidationError(`Tool '${tool?.name}' of section '${key}' ${fault}.`, [key]);
  return Object.isFrozen(tool) ? tool : Object.freeze({ ...tool });
}

/**
 * Wraps a tool for the model: it always returns a result, so that errors do not end the conversation. If a value has a
 * `render()` method, the model gets its output.
 */
export function offerTool<Input>(
  tool: Tool<Input, unknown, SectionToolContext>,
  scope: Omit<SectionToolContext, "signal">,
): PreparedTool {
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
  throw new Error("render() returned no string");
}
