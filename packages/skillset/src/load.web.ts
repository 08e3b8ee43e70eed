import { SkillError } from "./core/base/errors.ts";
import type { LoadOptions } from "./core/load/load-options.ts";
import type { SkillInput } from "./core/load/skill-input.ts";
import type { Skillset } from "./core/skillset.ts";

/** Loads skills from code and from other sources, in programs without Node. */
export async function createSkillset(
  sources: SkillInput | readonly SkillInput[] = standardFolders(),
  options: LoadOptions = {},
): Promise<Skillset> {
  // Loaded on demand: a page starts faster without it.
  const { loadOnWeb } = await import("./web/load-on-web.ts");
  return loadOnWeb(sources, options);
}

/** Throws: there are no folders without Node. */
export function standardFolders(): readonly never[] {
  const message =
    "The standard folders need Node, and this program runs without it. Pass skills to createSkillset(): in code, from an MCP server, or compiled in with @skillset/unplugin.";
  throw new SkillError("option-invalid", message);
}
