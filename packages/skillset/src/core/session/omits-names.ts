import { DEFAULTS } from "../base/limits.ts";
import type { CatalogOptions } from "../catalog/catalog.ts";
import type { Skill } from "../skill/skill.ts";
import type { Conversation } from "./conversation.ts";
import { renderSessionCatalog } from "./session-catalog.ts";
import { snapshotOf } from "./snapshot.ts";

/** What a model sees of the skills where no turn has shown it a catalog. */
export interface Listing {
  /** The options of the first turn, for tools that are listed before it. */
  readonly catalog?: CatalogOptions | undefined;
  /** The names that the model sees elsewhere than in a turn, such as in the instructions of an MCP server. */
  readonly seen?: ReadonlySet<string> | undefined;
}

/** Whether the model has not seen the name of a skill that it may activate, because the catalog leaves it out. */
export function omitsNames(conversation: Conversation, { catalog = {}, seen }: Listing): boolean {
  const { memory, skillset } = conversation;
  if (memory.catalog !== undefined)
    return memory.catalog.omitted.length > 0 || memory.notices.some(({ omitted = [] }) => omitted.length > 0);
  const { skills } = skillset;
  if (seen !== undefined) return skills.some(({ name, modelInvocable }) => modelInvocable && !seen.has(name));
  if (skills.length <= DEFAULTS.listedNames) return false;
  // Before the first turn, this is what its catalog would do.
  const known = OMITTING.get(conversation);
  if (known?.skills === skills) return known.omits;
  const omits = renderSessionCatalog(snapshotOf(conversation), skills, catalog).omitted.length > 0;
  OMITTING.set(conversation, { skills, omits });
  return omits;
}

/** Rendering a catalog of ten thousand skills takes a while, and tools are listed often. */
const OMITTING = new WeakMap<Conversation, { readonly skills: readonly Skill[]; readonly omits: boolean }>();
