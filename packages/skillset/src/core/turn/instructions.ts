import type { StoredInstructions } from "../conversation/state.ts";
import { renderAlreadyActive } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { toModelMessage } from "../text/model-message.ts";

/** Returns the active skills whose instructions are in none of the texts. */
export async function missingInstructions(
  context: Conversation,
  active: Iterable<string>,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly StoredInstructions[]> {
  const missing: StoredInstructions[] = [];
  for (const name of active) {
    const isThere = (): boolean =>
      held.some((text) => context.resources.given.of(name).some((one) => text.includes(one)));
    // Instructions that the conversation received are recognized without reading the skill.
    if (isThere()) continue;
    const { digest: known = "", arguments: words } = context.memory.active.get(name) ?? {};
    const skill = context.skillset.get(name);
    if (skill === undefined) continue;
    const now = await context.disclose(skill, { arguments: words, signal }).catch(() => undefined);
    signal?.throwIfAborted();
    if (isThere()) continue;
    // The text may also say that the instructions had changed.
    const changed = now && (await context.disclose(skill, { arguments: words, known: "", isAside: true, signal }));
    if (changed !== undefined && held.some((text) => text.includes(changed.text))) {
      context.remember(name, { digest: changed.digest, words, text: changed.text });
      continue;
    }
    const unreadable = held.some((text) => text.includes(unreadableLine(name)));
    if (now === undefined && unreadable) continue;
    const stored = { name, digest: now?.digest ?? known, changed: now?.changed ?? false };
    missing.push(words === undefined ? stored : { ...stored, arguments: words });
  }
  return missing;
}

/** Returns the instructions as the conversation received them, or as they are now. */
async function recallInstructions(
  context: Conversation,
  stored: StoredInstructions,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { name } = stored;
  try {
    return (await textOf(context, stored, stored.arguments, signal)) ?? `${unreadableLine(name)} it is gone.`;
  } catch (error) {
    // An active skill that cannot be read must not end the conversation, so the model gets a message instead.
    signal?.throwIfAborted();
    return describeUnreadable(name, error);
  }
}

/** The same for several skills. */
export async function recallAll(
  context: Conversation,
  given: readonly StoredInstructions[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  return Promise.all(given.map((one) => recallInstructions(context, one, signal)));
}

/** Returns the instructions of an active skill as they are now, for a prompt that is built anew for each request. */
export async function currentInstructions(
  context: Conversation,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const words = context.memory.active.get(name)?.arguments;
  try {
    return (await context.disclose(context.find(name, "host"), { arguments: words, toolsets: false, signal })).text;
  } catch (error) {
    signal?.throwIfAborted();
    return describeUnreadable(name, error);
  }
}

export interface RepeatOptions {
  /** What the user wrote after the skill's name. */
  readonly words: string | undefined;
  /** The texts before this one. */
  readonly held: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/** Returns the instructions that an earlier message contained, or undefined if it is no longer available. */
export async function repeatInstructions(
  context: Conversation,
  stored: StoredInstructions,
  { words, held, signal }: RepeatOptions,
): Promise<string | undefined> {
  if (stored.repeated) return renderAlreadyActive(stored.name);
  try {
    const text = await textOf(context, stored, words, signal);
    const isHeld = text !== undefined && held.some((one) => one.includes(text));
    return isHeld ? renderAlreadyActive(stored.name) : text;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

async function textOf(
  context: Conversation,
  { name, digest, changed }: StoredInstructions,
  words: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const skill = context.skillset.get(name);
  if (skill === undefined) return undefined;
  const given = context.resources.given.find(name, digest, words);
  if (given !== undefined) return given;
  // Marked as changed where it was before, and where the instructions of that time are no longer available.
  const known = changed ? "" : digest;
  return (await context.disclose(skill, { arguments: words, known, signal })).text;
}

function describeUnreadable(name: string, error: unknown): string {
  return escapeSkillTags(`${unreadableLine(name)} ${toModelMessage(error)}`);
}

function unreadableLine(name: string): string {
  return `The instructions of skill '${name}' cannot be read now:`;
}
