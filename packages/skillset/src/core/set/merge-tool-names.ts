import type { ToolNames } from "../allowed-tools/judged-call.ts";
import { SkillError } from "../base/errors.ts";

type Names = ToolNames | undefined;

/**
 * Returns all names that sets give to the program's tools. Throws if one tool has different names: a call is
 * allowed if one of its names is, so the skills of either set could do what only those of the other may.
 */
export function mergeToolNames(own: Names, inner: readonly Names[]): Names {
  const sets = [own, ...inner].filter((names) => names !== undefined);
  if (sets.length === 0) return undefined;
  const merged = new Map<string, Set<string>>();
  const meanings = new Map<string, string>();
  for (const names of sets) {
    for (const [tool, meaning] of meaningsOf(names)) {
      const known = meanings.get(tool) ?? meaning;
      if (known !== meaning) throw contradiction(tool, known, meaning);
      meanings.set(tool, meaning);
    }
    for (const [name, tools] of Object.entries(names)) {
      const all = merged.get(name) ?? new Set();
      for (const tool of [tools].flat()) all.add(tool);
      merged.set(name, all);
    }
  }
  return Object.freeze(Object.fromEntries(Array.from(merged, ([name, tools]) => [name, oneOrAll([...tools])])));
}

/** The authors' names of each of the program's tools, as a text. */
function meaningsOf(names: ToolNames): ReadonlyMap<string, string> {
  const meanings = new Map<string, string[]>();
  for (const [name, tools] of Object.entries(names))
    for (const tool of new Set([tools].flat())) meanings.set(tool, [...(meanings.get(tool) ?? []), name]);
  return new Map(Array.from(meanings, ([tool, all]) => [tool, all.sort().join("' and '")]));
}

function contradiction(tool: string, first: string, second: string): SkillError {
  const message = `In 'toolNames', the tool '${tool}' is '${first}' in one skillset and '${second}' in another. Load both skillsets with the same 'toolNames'.`;
  return new SkillError("option-invalid", message);
}

function oneOrAll(tools: readonly string[]): string | readonly string[] {
  const [first = ""] = tools;
  return tools.length === 1 ? first : tools;
}
