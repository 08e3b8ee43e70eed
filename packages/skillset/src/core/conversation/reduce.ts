import { LIMITS } from "../base/limits.ts";
import type { SessionState, StoredActivation, StoredCatalog, StoredInstructions, StoredNotice } from "./state.ts";

/** What happens in a conversation and changes what the model knows. */
export type ConversationEvent =
  | { readonly type: "activated"; readonly skill: StoredActivation; readonly tokens: number }
  | { readonly type: "deactivated"; readonly name: string }
  | { readonly type: "catalog-shown"; readonly catalog: StoredCatalog }
  | { readonly type: "noticed"; readonly notice: StoredNotice };

/** Returns the state after an event. Returns the same state if the event changes nothing. */
export function reduce(state: SessionState, event: ConversationEvent): SessionState {
  switch (event.type) {
    case "activated":
      return activated(state, event.skill, event.tokens);
    case "deactivated":
      return deactivated(state, event.name);
    case "catalog-shown":
      return { ...state, catalog: event.catalog };
    case "noticed":
      return { ...state, notices: fewEnough([...state.notices, event.notice]) };
  }
}

/** Adds a skill, or updates its instructions without changing its position. */
function activated(state: SessionState, skill: StoredActivation, tokens: number): SessionState {
  const known = state.active.find(({ name }) => name === skill.name);
  const isSame = known?.digest === skill.digest && known.arguments === skill.arguments;
  if (isSame && tokens === 0) return state;
  const spent = state.spent + tokens;
  if (known === undefined) return { ...state, spent, active: [...state.active, skill] };
  const by = known.digest === skill.digest ? known.by : skill.by;
  const active = isSame ? state.active : state.active.map((one) => (one === known ? { ...skill, by } : one));
  return { ...state, spent, active };
}

/** Removes a skill, with the copies of its instructions in notices. */
function deactivated(state: SessionState, name: string): SessionState {
  const active = state.active.filter((one) => one.name !== name);
  if (active.length === state.active.length) return state;
  const without = (stored: readonly StoredInstructions[]) => stored.filter((one) => one.name !== name);
  const notices = state.notices.map(({ invoked, triggered, given, ...notice }) => ({
    ...notice,
    ...(invoked !== undefined && { invoked: without(invoked) }),
    // Without any, the message triggers again when it is asked again, as a regenerated answer in a chat does.
    ...(triggered?.some((one) => one.name !== name) && { triggered: without(triggered) }),
    ...(given !== undefined && { given: without(given) }),
  }));
  return { ...state, active, notices };
}

/** Drops half of the notices at once when there are too many, because each drop changes the prefix of requests. */
function fewEnough(all: readonly StoredNotice[]): readonly StoredNotice[] {
  const { notices, noticeCharacters } = LIMITS.soft;
  const size = all.reduce((sum, { text = "" }) => sum + text.length, 0);
  return all.length > notices || size > noticeCharacters ? all.slice(Math.floor(all.length / 2)) : all;
}
