import type { Tool, ToolSet } from "ai";
import { type CallChecks, mayRestrict, requireTool, sessionOf } from "../adapter/index.ts";

/** The SDK ignores a schema under another name: the model would get a tool without parameters. */
export const REQUEST_TOOLS: CallChecks["tools"] = {
  isList: false,
  faultOf: (tool) => ("parameters" in tool ? "has 'parameters'. Rename it to 'inputSchema'." : undefined),
};

/**
 * Returns the host's tools with functions that refuse calls which active skills do not allow. Tools that your client or the
 * provider runs have no function here, so they cannot be denied.
 */
export function guardTools(given: object | undefined, tools: ToolSet): ToolSet {
  const session = sessionOf(given);
  if (session === undefined || !mayRestrict(session)) return tools;
  const guarded = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const checked: typeof execute = (input, options) => {
      requireTool(session, name, input);
      return execute(input, options);
    };
    return [name, { ...tool, execute: checked } as Tool];
  });
  return Object.fromEntries(guarded);
}
