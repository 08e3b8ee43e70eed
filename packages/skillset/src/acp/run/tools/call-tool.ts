import { SkillError } from "../../../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../../../core/base/limits.ts";
import { requireTool } from "../../../core/in-session.ts";
import type { ModelTool } from "../../../core/operations/model-tool.ts";
import type { Session } from "../../../core/session.ts";
import { callForModel } from "../../../core/tool/call-tool.ts";
import {
  type ExecuteOptions,
  type OperationOutput,
  type OperationResult,
  type PreparedTool,
  settle,
} from "../../../core/tool/model-tool.ts";
import { jsonSchemaOf } from "../../../core/tool/schema.ts";
import type { Tool } from "../../../core/tool/tool.ts";

/** What an agent may call without listing it. */
interface CallableTools {
  /** The caller's tools. */
  readonly own: readonly Tool[];
  /** Returns all tools. */
  readonly offered: () => readonly ModelTool[];
  /** The conversation whose active skills may forbid a call. */
  readonly skills: Session;
}

/** Returns the tool through which an agent calls those that it does not list. */
export function callToolFor(tools: CallableTools): PreparedTool {
  return {
    name: NAMES.callTool,
    title: "Call tool",
    description: "Call one of the tools that the message lists, with the input that it describes.",
    inputSchema: {
      type: "object",
      properties: {
        tool: { type: "string", description: "The tool's name" },
        input: { description: "The tool's input, as the message describes it" },
      },
      required: ["tool"],
    },
    readOnly: false,
    isAvailable: () => true,
    execute: (given, options) => dispatch(tools, given, options),
  };
}

async function dispatch(
  { own: tools, offered, skills }: CallableTools,
  given: unknown,
  options: ExecuteOptions = {},
): Promise<OperationResult> {
  const { tool: name, input } = (given ?? {}) as { tool?: unknown; input?: unknown };
  const own = tools.find((one) => one.name === name);
  if (own !== undefined) return settle(() => callOwn(own, skills, input, options.signal));
  const all = offered();
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found.execute(asMeant(found, input ?? {}), options);
  return settle(async () => {
    const names = all.map((one) => one.name).join(", ");
    const message = `There is no tool '${String(name).slice(0, LIMITS.shown.nameCharacters)}'. Available: ${names || "none"}.`;
    throw new SkillError("tool-not-found", message);
  });
}

/** Calls one of the caller's tools, unless an active skill forbids it. */
export async function callOwn(
  tool: Tool,
  skills: Session,
  given: unknown,
  signal: AbortSignal | undefined,
): Promise<OperationOutput> {
  const input = asMeant(tool, given);
  requireTool(skills, tool.name, input);
  const context = (toolSignal: AbortSignal) => ({ signal: toolSignal });
  return callForModel(tool, input, { context, signal, timeout: DEFAULTS.ownToolTimeout });
}

/** Models write JSON as text where a schema allows any value. */
function asMeant({ inputSchema }: Pick<Tool, "inputSchema">, input: unknown): unknown {
  if (typeof input !== "string" || inputSchema === undefined) return input;
  const schema = jsonSchemaOf(inputSchema);
  if (schema?.type === undefined || schema.type === "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
