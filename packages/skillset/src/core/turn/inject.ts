import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import { parseInvocations } from "../session/invocation.ts";
import { snapshotOf } from "../session/snapshot.ts";
import type { Skill } from "../skill/skill.ts";
import { currentInstructions } from "./instructions.ts";
import { toSent } from "./messages.ts";
import { matchTriggers } from "./open-skills.ts";
import type { Turn, TurnMessage, TurnOptions } from "./turn.ts";
import { turnWithoutTools } from "./without-skills.ts";

/** Prepares a request to a model without tools. Invoked skills apply to this request only. Nothing is stored. */
export async function injectTurn(
  conversation: Conversation,
  messages: readonly TurnMessage[],
  { inject = [], operations, taken, signal }: TurnOptions,
): Promise<Turn> {
  const { skillset, memory } = conversation;
  const { invocationPrefix, triggers } = conversation.settings;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const invocationsAt = (index: number) => {
    const message = messages[index];
    return message?.role === "user" ? parseInvocations(message.text, skillset, invocationPrefix) : [];
  };
  const invocations = invocationsAt(last);
  const isInvoked = (name: string): boolean => invocations.some(({ skill }) => skill.name === name);
  const isTriggering = triggers === "activate" && invocations.length === 0;
  const asked = isTriggering ? messages[last] : undefined;
  const triggered = asked === undefined ? [] : await matchTriggers(conversation, asked);
  const wanted = new Set([...inject, ...triggered.map(({ name }) => name)]);
  const disclose = (skill: Skill, words?: string): Promise<Activation> =>
    conversation.disclose(skill, { arguments: words, toolsets: false, signal });
  const others = [...wanted].filter((name) => !isInvoked(name));
  const instructions = await Promise.all(others.map((name) => disclose(conversation.find(name, "host"))));
  const left = [...memory.active.keys()].filter((name) => !wanted.has(name) && !isInvoked(name));
  const active = await Promise.all(left.map((name) => currentInstructions(conversation, name, signal)));
  const invoked = await Promise.all(
    invocations.map(async (one) => ({ ...one, activation: await disclose(one.skill, one.arguments) })),
  );
  // The names are removed, because the prompt contains the instructions.
  const sent = messages.map((message, index) => {
    const words = invocationsAt(index)[0]?.arguments;
    return words ? toSent(message, { before: [], words }) : message;
  });
  const texts = [...textsOf(instructions), ...active, ...textsOf(invoked.map(({ activation }) => activation))];
  const request = { instructions: texts.join("\n\n"), messages: sent, invoked };
  return turnWithoutTools(() => snapshotOf(conversation), request, { operations, taken });
}

function textsOf(activations: readonly Activation[]): readonly string[] {
  return activations.map(({ text }) => text);
}
