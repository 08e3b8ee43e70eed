import { abortWith } from "../base/abort-with.ts";
import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { untilAborted } from "../base/until-aborted.ts";
import { toModelMessage } from "../text/model-message.ts";
import type { OperationOutput } from "./model-tool.ts";
import { plainValue } from "./plain-value.ts";
import { checkValue } from "./schema.ts";
import type { Tool, ToolContext } from "./tool.ts";

export interface CallToolOptions<Context extends ToolContext> {
  /** The tool's owner, for errors: " of skill 'pdf'". */
  readonly owner?: string;
  /** Creates the handler's second argument. */
  readonly context: (signal: AbortSignal) => Context;
  readonly signal?: AbortSignal | undefined;
  /** The maximum duration of a handler, in milliseconds. */
  readonly timeout: number;
}

/** A tool's result: the value, and its text for a model. */
export interface ToolResult {
  readonly value: unknown;
  readonly text: string;
}

/** Validates the input and runs the handler. Throws a `SkillError` on any failure. */
export async function callTool<Input, Context extends ToolContext>(
  tool: Tool<Input, unknown, Context>,
  input: unknown,
  options: CallToolOptions<Context>,
): Promise<ToolResult> {
  const name = `'${tool.name}'${options.owner ?? ""}`;
  const value = await runHandler(name, tool, input, options);
  return { value, text: toText(name, value) };
}

/** Does the same and returns a result for a model. */
export async function callForModel<Input, Context extends ToolContext>(
  tool: Tool<Input, unknown, Context>,
  input: unknown,
  options: CallToolOptions<Context>,
): Promise<OperationOutput> {
  const result = await callTool(tool, input, options);
  return { text: result.text, data: { tool: tool.name, result: plainValue(result) } };
}

/** Contains a handler that throws, hangs or is aborted, so that the session survives. */
async function runHandler<Input, Context extends ToolContext>(
  name: string,
  tool: Tool<Input, unknown, Context>,
  input: unknown,
  { signal, timeout, context }: CallToolOptions<Context>,
): Promise<unknown> {
  const controller = new AbortController();
  const cancelled = new SkillError("tool-aborted", `Tool ${name} was cancelled.`);
  const late = new SkillError("tool-timed-out", `Tool ${name} took longer than ${timeout} ms.`);
  const unlink = abortWith(signal, controller, cancelled);
  // The longest delay that a timer supports.
  const timer = setTimeout(() => controller.abort(late), Math.min(timeout, 2 ** 31 - 1));
  let refused: SkillError | undefined;
  // A schema is code by the tool's author too: it may throw or hang like the handler.
  const work = async (): Promise<unknown> => {
    controller.signal.throwIfAborted();
    const { value, issues } = await checkValue(tool.inputSchema, input);
    controller.signal.throwIfAborted();
    // Without a schema, the input is passed to the handler unchecked.
    if (issues.length === 0) return tool.handler(value as never, context(controller.signal));
    refused = inputError(name, issues);
    throw refused;
  };
  try {
    return await untilAborted(controller.signal, work());
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (refused !== undefined) throw refused;
    throw new SkillError("tool-failed", `Tool ${name} failed: ${toModelMessage(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/** Creates the error for invalid input, as the model sees it. */
export function inputError(name: string, issues: readonly string[]): SkillError {
  const shown = issues.slice(0, LIMITS.shown.issues).join("; ");
  return new SkillError("tool-input-invalid", `Invalid input for tool ${name}: ${shown}.`);
}

function toText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, withCollections) ?? "null";
  } catch (error) {
    throw new SkillError("tool-failed", `Tool ${name} returned a result that cannot be serialized as JSON.`, {
      cause: error,
    });
  }
}

/** As JSON, a `Map` or `Set` would be `{}`. */
function withCollections(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}
