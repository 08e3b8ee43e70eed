import { LIMITS } from "../base/limits.ts";
import type { StoredInstructions, StoredNotice } from "../conversation/state.ts";
import { activate } from "../operations/activate-skill.ts";
import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import { type Invocation, parseInvocations } from "../session/invocation.ts";
import type { Skill } from "../skill/skill.ts";
import { invokedIn, type OpenedSkills } from "./leading-texts.ts";
import { ownWords } from "./own-words.ts";
import type { InvokedSkill, TurnMessage } from "./turn.ts";

/** What a message opens that opens nothing. */
export const NONE_OPENED: OpenedSkills = { invoked: [], triggered: [], suggested: [] };

/**
 * Activates the skills that a new message invokes or, if it invokes none, those that it triggers. This is the one thing
 * that a turn changes while it gathers: an activation asks for consent, spends the budget, and is saved by itself.
 */
export async function openSkills(
  conversation: Conversation,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<OpenedSkills> {
  const { skillset } = conversation;
  const { invocationPrefix, triggers } = conversation.settings;
  const stored = invokedIn(notices);
  const invoked: InvokedSkill[] = [];
  // One after the other, in the order of the names.
  for (const invocation of parseInvocations(message.text, skillset, invocationPrefix))
    invoked.push(await invoke(conversation, invocation, stored, held, signal));
  if (invoked.length > 0) return { ...NONE_OPENED, invoked };
  // A message that is sent again triggers nothing new.
  const isKnown = notices.some(({ triggered, suggested }) => triggered !== undefined || suggested !== undefined);
  if (isKnown) return NONE_OPENED;
  const names = (await matchTriggers(conversation, message, signal)).map(({ name }) => name);
  if (triggers === "suggest") return { ...NONE_OPENED, suggested: names };
  return { ...NONE_OPENED, triggered: await activateTriggered(conversation, names, held, signal) };
}

/** Activates a skill. A message that is sent again already has it and spends nothing. */
async function invoke(
  conversation: Conversation,
  invocation: Invocation,
  invoked: readonly StoredInstructions[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<InvokedSkill> {
  const { skill, arguments: words } = invocation;
  const stored = invoked.find(({ name }) => name === skill.name);
  if (stored !== undefined && conversation.memory.active.has(skill.name)) {
    const known = stored.changed ? "" : stored.digest;
    const again = await conversation.disclose(skill, { arguments: words, held, known, signal });
    if (again.digest === stored.digest) return { ...invocation, activation: again };
  }
  const activation = await activate(conversation, skill.name, { by: "user", arguments: words, signal, held });
  return { ...invocation, activation };
}

async function activateTriggered(
  conversation: Conversation,
  names: readonly string[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Activation[]> {
  const activations: Activation[] = [];
  for (const name of names) {
    try {
      activations.push(await activate(conversation, name, { by: "trigger", signal, held }));
    } catch {
      // Nobody asked for the skill, so a failure must not end the turn. The ledger has it.
      signal?.throwIfAborted();
    }
  }
  return activations;
}

/** Returns the inactive skills that a message triggers, and records each. */
export async function matchTriggers(
  conversation: Conversation,
  { text }: TurnMessage,
  signal?: AbortSignal,
): Promise<readonly Skill[]> {
  const { skillset, memory } = conversation;
  const { triggers: mode } = conversation.settings;
  if (mode === "off") return [];
  const candidates = skillset.skills.filter((skill) => mayTrigger(skill) && !memory.active.has(skill.name));
  if (candidates.length === 0) return [];
  const { findTriggers } = await import("../trigger/find-triggers.ts");
  const matches = await findTriggers(candidates, ownWords(text).slice(0, LIMITS.soft.triggerText), signal);
  for (const { skill, kind, trigger } of matches)
    conversation.record({ type: "skill-triggered", skill: skill.name, kind, trigger, mode });
  return matches.map(({ skill }) => skill);
}

/** The text of another program must not decide what this conversation does. Locked skills are not in a skillset. */
function mayTrigger({ triggers, modelInvocable, isRemote, provider }: Skill): boolean {
  return triggers !== undefined && modelInvocable && isRemote !== true && provider === undefined;
}
