import { SkillError } from "../../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../../core/base/limits.ts";
import { requireTool } from "../../core/require-tool.ts";
import type { Session } from "../../core/session.ts";
import { callForModel } from "../../core/tool/call-tool.ts";
import {
  type ModelTool,
  type OperationOutput,
  type OperationResult,
  settle,
  toModelTool,
} from "../../core/tool/model-tool.ts";
import { jsonSchemaOf } from "../../core/tool/schema.ts";
import type { JsonSchema } from "../../core/tool/standard-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { wrapSchema } from "../../core/tool/wrap-schema.ts";
import type { ResultSlot } from "./result-slot.ts";

/** The caller's tools and `return_result`, for an agent that starts with this run. */
export function ownTools(tools: readonly Tool[], slot: ResultSlot | undefined, session: Session): readonly ModelTool[] {
  const own = tools.map((tool) => toModelTool(tool, (input, signal) => call(session, tool, input, signal)));
  return slot === undefined ? own : [...own, returnResult(slot.inputSchema, (input) => slot.offer(input))];
}

/** The two fixed tools of every run in a conversation: most agents list tools only once. */
export function dispatchedTools(
  tools: readonly Tool[],
  slot: ResultSlot | undefined,
  session: Session,
): readonly ModelTool[] {
  const names = tools.map(({ name }) => name).join(", ");
  return [
    {
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
      execute: (given, { signal } = {}) =>
        settle(async () => {
          const { tool: name, input } = (given ?? {}) as { tool?: unknown; input?: unknown };
          const tool = tools.find((one) => one.name === name);
          if (tool !== undefined) return call(session, tool, input, signal);
          const message = `There is no tool '${String(name).slice(0, LIMITS.shown.nameCharacters)}'. Available: ${names || "none"}.`;
          throw new SkillError("tool-not-found", message);
        }),
    },
    returnResult(wrapSchema({}, NAMES.result), async (input) => slot?.offer(input, true) ?? NOT_ASKED),
  ];
}

function returnResult(inputSchema: JsonSchema, execute: ModelTool["execute"]): ModelTool {
  return {
    name: NAMES.returnResult,
    title: "Return result",
    description: "Return the requested result. Call it once, at the end.",
    inputSchema,
    readOnly: false,
    isAvailable: () => true,
    execute,
  };
}

const NOT_ASKED: OperationResult = {
  isError: true,
  text: "No result is requested: answer in text.",
  code: "result-invalid",
};

async function call(
  session: Session,
  tool: Tool,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<OperationOutput> {
  requireTool(session, tool.name, asMeant(tool, input));
  const context = (toolSignal: AbortSignal) => ({ signal: toolSignal });
  return callForModel(tool, asMeant(tool, input), { context, signal, timeout: DEFAULTS.ownToolTimeout });
}

/** Models write JSON as text where a schema allows any value. */
function asMeant({ inputSchema }: Tool, input: unknown): unknown {
  if (typeof input !== "string" || inputSchema === undefined) return input;
  const schema = jsonSchemaOf(inputSchema);
  if (schema?.type === undefined || schema.type === "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
