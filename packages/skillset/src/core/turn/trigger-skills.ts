import { LIMITS } from "../base/limits.ts";
import type { StoredNotice } from "../conversation/state.ts";
import { activate } from "../operations/activate-skill.ts";
import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import type { Skill } from "../skill/skill.ts";
import { ownWords } from "./own-words.ts";
import type { TurnMessage } from "./turn.ts";

/** The skills that a new message triggered. */
export interface TriggeredSkills {
  readonly activations: readonly Activation[];
  /** Names of skills that the notice suggests. */
  readonly suggested: readonly string[];
}

/** Activates or suggests the skills that a new message triggers. A message that is sent again triggers nothing new. */
export async function triggerSkills(
  context: Conversation,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<TriggeredSkills> {
  if (notices.some(({ triggered, suggested }) => triggered !== undefined || suggested !== undefined)) return NONE;
  const skills = await matchTriggers(context, message, signal);
  if (context.settings.triggers === "suggest") return { activations: [], suggested: skills.map(({ name }) => name) };
  const activations: Activation[] = [];
  for (const { name } of skills) {
    try {
      activations.push(await activate(context, name, { by: "trigger", signal, held }));
    } catch {
      // Nobody asked for the skill, so a failure must not end the turn. The ledger has it.
      signal?.throwIfAborted();
    }
  }
  return { activations, suggested: [] };
}

const NONE: TriggeredSkills = { activations: [], suggested: [] };

/** Returns the inactive skills that a message triggers, and records each. */
export async function matchTriggers(
  context: Conversation,
  { text }: TurnMessage,
  signal?: AbortSignal,
): Promise<readonly Skill[]> {
  const { settings, skillset, memory } = context;
  const { triggers: mode } = settings;
  if (mode === "off") return [];
  const candidates = skillset.skills.filter((skill) => mayTrigger(skill) && !memory.active.has(skill.name));
  if (candidates.length === 0) return [];
  const { findTriggers } = await import("../trigger/find-triggers.ts");
  const matches = await findTriggers(candidates, ownWords(text).slice(0, LIMITS.soft.triggerText), signal);
  for (const { skill, kind, trigger } of matches)
    context.record({ type: "skill-triggered", skill: skill.name, kind, trigger, mode });
  return matches.map(({ skill }) => skill);
}

/** The text of another program must not decide what this conversation does. Locked skills are not in a skillset. */
function mayTrigger({ triggers, modelInvocable, isRemote, provider }: Skill): boolean {
  return triggers !== undefined && modelInvocable && isRemote !== true && provider === undefined;
}
