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
  /** Whose tool it is, for the errors: " of skill 'pdf'". */
  readonly owner?: string;
  /** What the handler is given beside its input. */
  readonly context: (signal: AbortSignal) => Context;
  readonly signal?: AbortSignal | undefined;
  /** How long a handler may take, in milliseconds. */
  readonly timeout: number;
}

/** What a tool gave: the value, and the text of it for a model. */
export interface ToolResult {
  readonly value: unknown;
  readonly text: string;
}

/** Checks the input, runs the handler, and turns whatever goes wrong into a `SkillError`. */
export async function callTool<Input, Context extends ToolContext>(
  tool: Tool<Input, unknown, Context>,
  input: unknown,
  options: CallToolOptions<Context>,
): Promise<ToolResult> {
  const name = `'${tool.name}'${options.owner ?? ""}`;
  const value = await runHandler(name, tool, input, options);
  return { value, text: toText(name, value) };
}

/** The same, as a result for a model. */
export async function callForModel<Input, Context extends ToolContext>(
  tool: Tool<Input, unknown, Context>,
  input: unknown,
  options: CallToolOptions<Context>,
): Promise<OperationOutput> {
  const result = await callTool(tool, input, options);
  return { text: result.text, data: { tool: tool.name, result: plainValue(result) } };
}

/** A handler that throws, hangs or is aborted ends here; it never takes the session with it. */
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
  // A timer cannot wait longer; nobody will.
  const timer = setTimeout(() => controller.abort(late), Math.min(timeout, 2 ** 31 - 1));
  let refused: SkillError | undefined;
  // A schema is code of the tool's author as well: it may throw or hang like the handler.
  const work = async (): Promise<unknown> => {
    controller.signal.throwIfAborted();
    const { value, issues } = await checkValue(tool.inputSchema, input);
    controller.signal.throwIfAborted();
    // Without a schema the input is of whatever type the handler expects.
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

/** What a model is told about input that does not fit. */
export function inputError(name: string, issues: readonly string[]): SkillError {
  const shown = issues.slice(0, LIMITS.shown.issues).join("; ");
  return new SkillError("tool-input-invalid", `The input of tool ${name} does not fit: ${shown}.`);
}

function toText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    throw new SkillError("tool-failed", `Tool ${name} gave a result that cannot be written as JSON.`, { cause: error });
  }
}
