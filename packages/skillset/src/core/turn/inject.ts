import { renderCatalog } from "../catalog/catalog.ts";
import type { Activation } from "../session/activation.ts";
import type { SessionContext } from "../session/context.ts";
import { parseInvocation } from "../session/invocation.ts";
import { recallInstructions } from "./instructions.ts";
import { sentMessage } from "./messages.ts";
import type { Turn, TurnMessage, TurnOptions } from "./turn.ts";

/** Prepares a request to a model without tools. An invoked skill applies to this request only. Nothing is stored. */
export async function injectTurn(
  context: SessionContext,
  messages: readonly TurnMessage[],
  { inject = [], signal }: TurnOptions,
): Promise<Turn> {
  const { skillset, invocationPrefix, memory } = context;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const invocationAt = (index: number) => {
    const message = messages[index];
    return message?.role === "user" ? parseInvocation(message.text, skillset, invocationPrefix) : undefined;
  };
  const invocation = invocationAt(last);
  const wanted = new Set(inject);
  const others = [...memory.active.keys()].filter((name) => !wanted.has(name) && name !== invocation?.skill.name);
  const instructions = await Promise.all(
    [...wanted]
      .filter((name) => name !== invocation?.skill.name)
      .map(async (name) => (await context.disclose(context.find(name, "host"), { signal })).text),
  );
  const active = await Promise.all(others.map((name) => recallInstructions(context, storedOf(context, name), signal)));
  let activation: Activation | undefined;
  if (invocation !== undefined)
    activation = await context.disclose(invocation.skill, { arguments: invocation.arguments, signal });
  // The names are removed, because the prompt contains the instructions.
  const sent = messages.map((message, index) => {
    const words = invocationAt(index)?.arguments;
    return words ? sentMessage(message, [], words) : message;
  });
  return {
    instructions: [...instructions, ...active, ...(activation ? [activation.text] : [])].join("\n\n"),
    messages: sent,
    tools: [],
    catalog: renderCatalog([]),
    ...(invocation && activation && { invoked: { ...invocation, activation } }),
    step: async (next) => ({ messages: next, tools: [] }),
  };
}

function storedOf({ memory }: SessionContext, name: string) {
  return { name, digest: memory.active.get(name)?.digest ?? "", changed: false };
}
