import type { Conversation } from "../session/conversation.ts";
import { parseInvocations } from "../session/invocation.ts";
import { snapshotOf } from "../session/snapshot.ts";
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
  const others = [...memory.active.keys()].filter((name) => !wanted.has(name) && !isInvoked(name));
  const instructions = await Promise.all(
    [...wanted]
      .filter((name) => !isInvoked(name))
      .map(
        async (name) =>
          (await conversation.disclose(conversation.find(name, "host"), { toolsets: false, signal })).text,
      ),
  );
  const active = await Promise.all(others.map((name) => currentInstructions(conversation, name, signal)));
  const invoked = await Promise.all(
    invocations.map(async (invocation) => {
      const activation = await conversation.disclose(invocation.skill, {
        arguments: invocation.arguments,
        toolsets: false,
        signal,
      });
      return { ...invocation, activation };
    }),
  );
  // The names are removed, because the prompt contains the instructions.
  const sent = messages.map((message, index) => {
    const words = invocationsAt(index)[0]?.arguments;
    return words ? toSent(message, { before: [], words }) : message;
  });
  const texts = [...instructions, ...active, ...invoked.map(({ activation }) => activation.text)];
  const request = { instructions: texts.join("\n\n"), messages: sent, invoked };
  return turnWithoutTools(() => snapshotOf(conversation), request, { operations, taken });
}
