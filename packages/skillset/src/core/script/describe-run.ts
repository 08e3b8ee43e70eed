import type { ConsentRequest } from "./script.ts";

/** Says what a skill wants to run, for the person who decides: `scripts/brew.sh`, or a tool and its module. */
export function describeRun({ script, toolset }: Pick<ConsentRequest, "script" | "toolset">): string {
  if (toolset === undefined) return script;
  return toolset.tool === undefined ? `its tools in ${script}` : `its tool '${toolset.tool}' in ${script}`;
}
