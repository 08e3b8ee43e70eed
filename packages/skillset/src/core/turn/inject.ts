import { renderCatalog } from "../catalog/catalog.ts";
import type { Conversation } from "../session/conversation.ts";
import { parseInvocations } from "../session/invocation.ts";
import { withoutGone } from "./gone-texts.ts";
import { currentInstructions } from "./instructions.ts";
import { sentMessage } from "./messages.ts";
import { matchTriggers } from "./trigger-skills.ts";
import type { Turn, TurnMessage, TurnOptions } from "./turn.ts";

/** Prepares a request to a model without tools. Invoked skills apply to this request only. Nothing is stored. */
export async function injectTurn(
  context: Conversation,
  messages: readonly TurnMessage[],
  { inject = [], operations, taken, signal }: TurnOptions,
): Promise<Turn> {
  const { skillset, memory } = context;
  const { invocationPrefix } = context.settings;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const invocationsAt = (index: number) => {
    const message = messages[index];
    return message?.role === "user" ? parseInvocations(message.text, skillset, invocationPrefix) : [];
  };
  const invocations = invocationsAt(last);
  const isInvoked = (name: string): boolean => invocations.some(({ skill }) => skill.name === name);
  const isTriggering = context.settings.triggers === "activate" && invocations.length === 0;
  const asked = isTriggering ? messages[last] : undefined;
  const triggered = asked === undefined ? [] : await matchTriggers(context, asked);
  const wanted = new Set([...inject, ...triggered.map(({ name }) => name)]);
  const others = [...memory.active.keys()].filter((name) => !wanted.has(name) && !isInvoked(name));
  const instructions = await Promise.all(
    [...wanted]
      .filter((name) => !isInvoked(name))
      .map(async (name) => (await context.disclose(context.find(name, "host"), { toolsets: false, signal })).text),
  );
  const active = await Promise.all(others.map((name) => currentInstructions(context, name, signal)));
  const invoked = await Promise.all(
    invocations.map(async (invocation) => {
      const activation = await context.disclose(invocation.skill, {
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
    return words ? sentMessage(message, [], words) : message;
  });
  return {
    instructions: [...instructions, ...active, ...invoked.map(({ activation }) => activation.text)].join("\n\n"),
    messages: withoutGone(context, sent, { operations, taken }),
    tools: [],
    catalog: renderCatalog([]),
    invoked,
    step: async (next, { taken: now = taken } = {}) => ({
      messages: withoutGone(context, next, { operations, taken: now }),
      tools: [],
    }),
  };
}
