/** A tool in a request. */
export interface OfferedTool {
  /** The name in scripts and tests, including the namespace if there is one. */
  readonly name: string;
  /** The name that a call must use. */
  readonly wireName: string;
  readonly namespace?: string;
  /** Accepts a text instead of a JSON object. */
  readonly freeform?: boolean;
}

export type ToolMatch =
  | { readonly outcome: "found"; readonly tool: OfferedTool }
  | { readonly outcome: "not-offered" }
  | { readonly outcome: "ambiguous"; readonly names: readonly string[] };

/**
 * Finds the tool that a script names.
 *
 * An exact name wins. Otherwise the script's name must be the end of a longer one, after a separator. Any run of
 * separators counts as one: `child_echo` matches `mcp__child__echo`, `child_echo` and `mcp_child_echo`.
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
