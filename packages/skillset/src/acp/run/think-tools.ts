import { SkillError } from "../../core/base/errors.ts";
import { type OperationResult, settle } from "../../core/operations/operation.ts";
import { callTool } from "../../core/tool/call-tool.ts";
import { plainValue } from "../../core/tool/plain-value.ts";
import { jsonSchemaOf } from "../../core/tool/schema.ts";
import type { JsonSchema } from "../../core/tool/standard-schema.ts";
import { wrapSchema } from "../../core/tool/wrap-schema.ts";
import type { ServedTool } from "../../mcp/serving/serve-tools.ts";
import type { ThinkTool } from "../plan/think-plan.ts";
import { CALL_TOOL, RETURN_RESULT } from "./prompt.ts";
import type { ResultSlot } from "./result-slot.ts";

/** The caller's own tools, and where the result goes, as an agent lists them that starts with this run. */
export function ownTools(tools: readonly ThinkTool[], slot: ResultSlot | undefined): readonly ServedTool[] {
  const served = tools.map((tool): ServedTool => {
    const schema = jsonSchemaOf(tool.inputSchema);
    const isObject = schema?.type === "object";
    return {
      name: tool.name,
      title: tool.name,
      description: tool.description,
      inputSchema: toolSchema(schema),
      readOnly: false,
      execute: (input, { signal } = {}) => call(tool, isObject ? input : unwrap(input), signal),
    };
  });
  return slot === undefined ? served : [...served, returnResult(slot.inputSchema, (input) => slot.offer(input))];
}

/** The same two tools in every run of a conversation: most agents ask only once what there is. */
export function dispatchedTools(tools: readonly ThinkTool[], slot: ResultSlot | undefined): readonly ServedTool[] {
  const names = tools.map(({ name }) => name).join(", ");
  return [
    {
      name: CALL_TOOL,
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
      execute: (given, { signal } = {}) => {
        const { tool: name, input } = (given ?? {}) as { tool?: unknown; input?: unknown };
        const tool = tools.find((one) => one.name === name);
        if (tool !== undefined) return call(tool, input, signal);
        const message = `There is no tool '${String(name).slice(0, 80)}' now. Available: ${names || "none"}.`;
        return settle(() => Promise.reject(new SkillError("tool-not-found", message)));
      },
    },
    returnResult(
      { type: "object", properties: { result: {} }, required: ["result"] },
      async (input) => slot?.offer(input, true) ?? NOT_ASKED,
    ),
  ];
}

function returnResult(
  inputSchema: ServedTool["inputSchema"],
  execute: (input: unknown) => Promise<OperationResult>,
): ServedTool {
  return {
    name: RETURN_RESULT,
    title: "Return result",
    description: "Give the result that was asked for. Call it once, at the end.",
    inputSchema,
    readOnly: false,
    execute,
  };
}

const NOT_ASKED: OperationResult = {
  isError: true,
  text: "No result is asked for: just answer.",
  code: "result-invalid",
};

function call(tool: ThinkTool, input: unknown, signal: AbortSignal | undefined): Promise<OperationResult> {
  return settle(async () => {
    const result = await callTool(tool, await asMeant(tool, input), {
      owner: "",
      context: (toolSignal) => ({ signal: toolSignal }),
      signal,
      timeout: TOOL_TIMEOUT,
    });
    return { text: result.text, data: { tool: tool.name, result: plainValue(result) } };
  });
}

const TOOL_TIMEOUT = 10 * 60_000;

function toolSchema(schema: JsonSchema | undefined): JsonSchema {
  if (schema?.type === "object") return schema;
  return schema === undefined ? { type: "object", properties: { input: {} } } : wrapSchema(schema, "input");
}

/** A model may leave the wrapping out. */
function unwrap(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  if ("input" in input) return input.input;
  return Object.keys(input).length === 0 ? undefined : input;
}

/** Models write JSON as text where a schema leaves it open. */
async function asMeant({ inputSchema }: ThinkTool, input: unknown): Promise<unknown> {
  if (typeof input !== "string" || inputSchema === undefined) return input;
  const schema = jsonSchemaOf(inputSchema);
  if (schema?.type === undefined || schema.type === "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
