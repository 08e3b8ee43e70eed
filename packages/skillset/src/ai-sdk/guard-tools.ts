import type { Tool, ToolSet } from "ai";
import { isSession, mayRestrict, requireTool } from "../adapter/index.ts";

/**
 * Returns the host's tools with functions that refuse calls which active skills do not allow. Tools that your client or the
 * provider runs have no function here, so they cannot be denied.
 */
export function guardTools(session: object | undefined, tools: ToolSet): ToolSet {
  if (!isSession(session) || !mayRestrict(session)) return tools;
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
