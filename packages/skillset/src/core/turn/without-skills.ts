import { renderCatalog } from "../catalog/catalog.ts";
import { EMPTY_STATE } from "../conversation/state.ts";
import { type GoneOptions, type HadSkills, withoutGone } from "./gone-texts.ts";
import type { Turn, TurnMessage, TurnOptions } from "./turn.ts";

/** Returns the turn of a request without a session: the messages, without results of skills that an earlier run had. */
export function turnWithoutSkills(messages: readonly TurnMessage[], options: TurnOptions): Turn {
  return turnWithoutTools(() => NO_SKILLS, { instructions: "", messages, invoked: [] }, options);
}

const NO_SKILLS: HadSkills = {
  state: EMPTY_STATE,
  active: new Map(),
  skillset: { skills: [], entries: [], get: () => undefined, has: () => false },
};

/** Returns a turn without functions and without a catalog. Its messages lose the texts of skills that are gone. */
export function turnWithoutTools(
  had: () => HadSkills,
  { messages, ...request }: Pick<Turn, "instructions" | "messages" | "invoked">,
  { operations, taken }: GoneOptions,
): Turn {
  return {
    ...request,
    messages: withoutGone(had(), messages, { operations, taken }),
    tools: [],
    catalog: renderCatalog([]),
    step: async (next, { taken: now = taken } = {}) => ({
      messages: withoutGone(had(), next, { operations, taken: now }),
      tools: [],
    }),
  };
}
