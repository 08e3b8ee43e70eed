/** A tool that a request offers. */
export interface OfferedTool {
  /** As a script and a test name it: with the namespace, if it has one. */
  readonly name: string;
  /** As a call must name it. */
  readonly wireName: string;
  readonly namespace?: string;
  /** It takes a text instead of a JSON object. */
  readonly freeform?: boolean;
}

export type ToolMatch =
  | { readonly outcome: "found"; readonly tool: OfferedTool }
  | { readonly outcome: "not-offered" }
  | { readonly outcome: "ambiguous"; readonly names: readonly string[] };

/**
 * Finds the offered tool that a script means.
 *
 * A name that is the same wins. Else it is the end of a longer name, behind a separator, where every run of separators
 * counts as one: `child_echo` is `mcp__child__echo`, `child_echo` and `mcp_child_echo`.
 */
export function findTool(tools: readonly OfferedTool[], wanted: string): ToolMatch {
  const same = tools.find(({ name }) => name === wanted);
  if (same !== undefined) return { outcome: "found", tool: same };
  const end = joined(wanted);
  const equal = tools.filter(({ name }) => joined(name) === end);
  const matches = equal.length > 0 ? equal : tools.filter(({ name }) => joined(name).endsWith(`_${end}`));
  const [tool] = matches;
  if (tool === undefined) return { outcome: "not-offered" };
  if (matches.length > 1) return { outcome: "ambiguous", names: matches.map(({ name }) => name) };
  return { outcome: "found", tool };
}

function joined(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, "_");
}
