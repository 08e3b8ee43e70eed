import type { CatalogBudget } from "./catalog.ts";
import { compact, type Message, removeInstructions } from "./compact.ts";
import type { Session } from "./session.ts";
import type { TokenCounter } from "./tokens.ts";

export interface CompactMessagesOptions {
  readonly budget: CatalogBudget;
  readonly countTokens?: TokenCounter;
}

export interface CompactedMessages<Native> {
  readonly messages: Native[];
  /** Skills whose instructions were put in again. */
  readonly injected: readonly string[];
  /** Skills whose instructions did not fit; a stub names each. */
  readonly stubbed: readonly string[];
  /** How many messages were dropped. */
  readonly dropped: number;
}

/** How an SDK's messages are read and written. */
export interface MessageShape<Native> {
  /** Whose message it is, by the SDK's name for it, and everything that a model reads in it. */
  read(message: Native): { readonly role: string; readonly text: string };
  /** The same message with each of its texts changed. */
  mapText(message: Native, change: (text: string) => string): Native;
  /** A message that holds instructions. */
  write(instructions: string): Native;
}

/** `compact` for the messages of an SDK, with the active skills of a session. */
export async function compactWith<Native>(
  session: Session,
  messages: readonly Native[],
  options: CompactMessagesOptions,
  shape: MessageShape<Native>,
): Promise<CompactedMessages<Native>> {
  const active = await Promise.all(session.active.map(async (name) => ({ name, text: await session.recall(name) })));
  const sources = new Map(messages.map((message, index) => [index, message]));
  let exchange = 0;
  const numbered = messages.map((message, index) => {
    const { role, text } = shape.read(message);
    if (role === "user") exchange++;
    return { ...toMessage(role, text, exchange), index };
  });
  const { messages: kept, ...report } = compact(numbered, { ...options, active });
  return {
    ...report,
    messages: kept.map((message) => {
      const { index } = message as Partial<(typeof numbered)[number]>;
      const source = index === undefined ? undefined : sources.get(index);
      if (source === undefined) return shape.write(message.content);
      if (message.content === numbered[index as number]?.content) return source;
      return shape.mapText(source, (text) => removeInstructions(text, active));
    }),
  };
}

/** Calls and their results belong together: everything between two messages of a person does. */
function toMessage(role: string, content: string, exchange: number): Message {
  // A message that is nothing but instructions was put in by an earlier call.
  const isPutIn = content.startsWith("<skill_content ") && content.endsWith("</skill_content>");
  if (role === "system" || role === "developer" || (role === "user" && isPutIn)) return { role: "system", content };
  if (role === "user") return { role, content };
  return { role: role === "assistant" ? role : "tool", content, group: String(exchange) };
}
