import { SkillError } from "../core/base/errors.ts";
import { requireTool } from "../core/in-session.ts";
import type { ModelTool } from "../core/operations/model-tool.ts";
import type { Session } from "../core/session.ts";
import { inputError } from "../core/tool/call-tool.ts";
import { schemaFault } from "../core/tool/check-tool.ts";
import { toModelTool } from "../core/tool/model-tool.ts";
import { checkValue } from "../core/tool/schema.ts";
import type { Tool } from "../core/tool/tool.ts";

/** A tool of the host: from `defineTool`, or one that is prepared for models already, such as those of a prompt. */
export type HostTool = Tool | ModelTool;

/**
 * Prepares the host's own tools for a model: validates inputs, and refuses calls that active skills do not allow, if there
 * is a session. `taken` are the names of the tools in the request.
 */
export function toModelTools(
  session: Session | undefined,
  tools: readonly HostTool[],
  { taken = [] }: { readonly taken?: readonly string[] } = {},
): ModelTool[] {
  if (!Array.isArray(tools))
    throw new SkillError("option-invalid", typeof tools === "function" ? NO_FUNCTION : NO_LIST);
  const names = new Set(taken);
  return tools.map((tool) => {
    if (!isPrepared(tool) && (typeof tool.handler !== "function" || typeof tool.name !== "string"))
      throw new SkillError("option-invalid", NO_TOOL);
    const fault = isPrepared(tool) ? undefined : schemaFault(tool);
    if (fault !== undefined) throw new SkillError("option-invalid", `Tool '${tool.name}' ${fault}.`);
    if (names.has(tool.name)) throw new SkillError("option-invalid", `Two tools have the name '${tool.name}'.`);
    names.add(tool.name);
    if (isPrepared(tool)) return tool;
    return toModelTool(tool, async (input, signal) => {
      if (session !== undefined) requireTool(session, tool.name, input);
      return callHandler(tool, input, signal);
    });
  });
}

const ELSEWHERE = "Tools in the format of the SDK or the API belong in 'request.tools'.";
const NO_TOOL = `'tools' takes tools with a 'name', a 'description' and a 'handler', as defineTool() returns. ${ELSEWHERE}`;
const NO_LIST = `'tools' takes a list of tools, as defineTool() returns. ${ELSEWHERE}`;
const NO_FUNCTION = "'tools' takes a list here. Only runs, such as runChat(), take a function that returns the tools.";

function isPrepared(tool: HostTool): tool is ModelTool {
  return "execute" in tool && "isAvailable" in tool;
}

/** Waits for the handler even if the run was cancelled, because its effects belong in the conversation. */
async function callHandler(tool: Tool, input: unknown, signal = new AbortController().signal) {
  const { value, issues } = await checkValue(tool.inputSchema, input);
  if (issues.length > 0) throw inputError(`'${tool.name}'`, issues);
  return { text: toText(await tool.handler(value, { signal })), data: {} };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
