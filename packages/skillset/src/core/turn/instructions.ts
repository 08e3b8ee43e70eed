import type { StoredInstructions } from "../conversation/state.ts";
import type { Conversation } from "../session/conversation.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { toModelMessage } from "../text/model-message.ts";
import type { EarlierInstructions } from "./leading-texts.ts";
import type { EarlierTexts } from "./messages.ts";

/** Reads instructions that earlier messages contained, as the conversation received them, or as they are now. */
export async function readAll(
  conversation: Conversation,
  earlier: readonly EarlierInstructions[],
  signal: AbortSignal | undefined,
): Promise<EarlierTexts> {
  const texts = new Map<StoredInstructions, string | undefined>();
  for (const one of earlier) texts.set(one.stored, await readEarlier(conversation, one, signal));
  return texts;
}

/** Returns undefined for instructions that are not needed or available any more. */
export async function readEarlier(
  conversation: Conversation,
  { stored, words, isGiven }: EarlierInstructions,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!conversation.memory.active.has(stored.name) || stored.repeated) return undefined;
  if (isGiven) return recallInstructions(conversation, stored, signal);
  try {
    return await textOf(conversation, stored, words, signal);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Finds the active skills whose instructions are in none of the texts, and returns what the model gets instead. */
export async function findLost(
  conversation: Conversation,
  active: Iterable<string>,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<StoredInstructions, string>> {
  const lost = new Map<StoredInstructions, string>();
  for (const name of active) {
    const stored = await lostOf(conversation, name, held, signal);
    if (stored !== undefined) lost.set(stored, await recallInstructions(conversation, stored, signal));
  }
  return lost;
}

async function lostOf(
  conversation: Conversation,
  name: string,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<StoredInstructions | undefined> {
  const { memory, skillset } = conversation;
  const { given } = conversation.resources;
  const isThere = (): boolean => held.some((text) => given.of(name).some((one) => text.includes(one)));
  const skill = skillset.get(name);
  // Instructions that the conversation received are recognized without reading the skill.
  if (skill === undefined || isThere()) return undefined;
  const { digest: known = "", arguments: words } = memory.active.get(name) ?? {};
  const now = await conversation.disclose(skill, { arguments: words, signal }).catch(() => undefined);
  signal?.throwIfAborted();
  if (isThere()) return undefined;
  if (now === undefined && held.some((text) => text.includes(unreadableLine(name)))) return undefined;
  // The text may also say that the instructions had changed.
  const changed = now && (await conversation.disclose(skill, { arguments: words, known: "", isAside: true, signal }));
  if (changed !== undefined && held.some((text) => text.includes(changed.text))) {
    conversation.remember(name, { digest: changed.digest, words, text: changed.text });
    return undefined;
  }
  const stored = { name, digest: now?.digest ?? known, changed: now?.changed ?? false };
  return words === undefined ? stored : { ...stored, arguments: words };
}

/** Returns the instructions as the conversation received them, or as they are now. */
function recallInstructions(
  conversation: Conversation,
  stored: StoredInstructions,
  signal: AbortSignal | undefined,
): Promise<string> {
  return orMessage(stored.name, signal, () => textOf(conversation, stored, stored.arguments, signal));
}

/** Returns the instructions of an active skill as they are now, for a prompt that is built anew for each request. */
export function currentInstructions(
  conversation: Conversation,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const words = conversation.memory.active.get(name)?.arguments;
  return orMessage(name, signal, async () => {
    const skill = conversation.find(name, "host");
    return (await conversation.disclose(skill, { arguments: words, toolsets: false, signal })).text;
  });
}

/** An active skill that cannot be read must not end the conversation, so the model gets a message instead. */
async function orMessage(
  name: string,
  signal: AbortSignal | undefined,
  read: () => Promise<string | undefined>,
): Promise<string> {
  try {
    return (await read()) ?? `${unreadableLine(name)} it is gone.`;
  } catch (error) {
    signal?.throwIfAborted();
    return escapeSkillTags(`${unreadableLine(name)} ${toModelMessage(error)}`);
  }
}

async function textOf(
  conversation: Conversation,
  { name, digest, changed }: StoredInstructions,
  words: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const skill = conversation.skillset.get(name);
  if (skill === undefined) return undefined;
  const given = conversation.resources.given.find(name, digest, words);
  if (given !== undefined) return given;
  // Marked as changed where it was before, and where the instructions of that time are no longer available.
  const known = changed ? "" : digest;
  return (await conversation.disclose(skill, { arguments: words, known, signal })).text;
}

function unreadableLine(name: string): string {
  return `The instructions of skill '${name}' cannot be read now:`;
}
