import { renderCatalog } from "../catalog/catalog.ts";
import { withoutGone } from "./gone-texts.ts";
import type { Turn, TurnMessage, TurnOptions } from "./turn.ts";

/** Returns the turn of a request without a session: the messages, without results of skills that an earlier run had. */
export function turnWithoutSkills(messages: readonly TurnMessage[], { operations, taken }: TurnOptions): Turn {
  const remove = (all: readonly TurnMessage[], now: TurnOptions["taken"]) =>
    withoutGone(NO_SKILLS, all, { operations, taken: now });
  return {
    instructions: "",
    messages: remove(messages, taken),
    tools: [],
    catalog: renderCatalog([]),
    invoked: [],
    step: async (next, { taken: now = taken } = {}) => ({ messages: remove(next, now), tools: [] }),
  };
}

const NO_SKILLS = {
  skillset: { skills: [], get: () => undefined, has: () => false },
  memory: { names: [], active: new Map<string, never>() },
};
