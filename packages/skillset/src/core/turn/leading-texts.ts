import type { StoredInstructions, StoredNotice } from "../conversation/state.ts";
import { activate } from "../operations/activate-skill.ts";
import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import { type Invocation, parseInvocations, stripNames } from "../session/invocation.ts";
import { repeatInstructions } from "./instructions.ts";
import { isSent } from "./notices.ts";
import type { InvokedSkill, TurnMessage } from "./turn.ts";

/** The parts of a message: what the library inserts, followed by the user's words. */
export interface LeadingTexts {
  readonly before: readonly string[];
  readonly words: string;
}

/** Activates the skills that a message invokes. */
export async function invokeSkills(
  context: Conversation,
  { text }: TurnMessage,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly InvokedSkill[]> {
  const { skillset } = context;
  const { invocationPrefix } = context.settings;
  const stored = storedIn(notices);
  const invoked: InvokedSkill[] = [];
  // One after the other, in the order of the names.
  for (const invocation of parseInvocations(text, skillset, invocationPrefix))
    invoked.push(await invoke(context, invocation, stored, held, signal));
  return invoked;
}

/** Activates a skill. A message that is sent again already has it and spends nothing. */
async function invoke(
  context: Conversation,
  invocation: Invocation,
  invoked: readonly StoredInstructions[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<InvokedSkill> {
  const { skill, arguments: words } = invocation;
  const stored = invoked.find(({ name }) => name === skill.name);
  if (stored !== undefined && context.memory.active.has(skill.name)) {
    const known = stored.changed ? "" : stored.digest;
    const again = await context.disclose(skill, { arguments: words, held, known, signal });
    if (again.digest === stored.digest) return { ...invocation, activation: again };
  }
  const activation = await activate(context, skill.name, { by: "user", arguments: words, signal, held });
  return { ...invocation, activation };
}

/** The skills that a new message invoked or triggered. */
export interface OpenedSkills {
  readonly invoked: readonly InvokedSkill[];
  readonly triggered: readonly Activation[];
}

/** Returns the instructions that the message now starts with. They replace the names of invoked skills. */
export function leadingOf({ text }: TurnMessage, { invoked, triggered }: OpenedSkills): LeadingTexts | undefined {
  const activations = [...invoked.map(({ activation }) => activation), ...triggered];
  if (activations.length === 0) return undefined;
  return { before: activations.map((activation) => activation.text), words: invoked[0]?.arguments ?? text };
}

/** Returns what the message started with in an earlier request. Skips skills that are not active any more. */
export async function repeatLeading(
  context: Conversation,
  { text: message }: TurnMessage,
  notices: readonly StoredNotice[],
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LeadingTexts> {
  const { memory } = context;
  const { invocationPrefix } = context.settings;
  const isLeft = ({ name }: StoredInstructions): boolean => memory.active.has(name);
  const repeat = async (all: readonly StoredInstructions[], words?: string): Promise<readonly string[]> => {
    const repeated = all
      .filter(isLeft)
      .map((one) => repeatInstructions(context, one, { words: one.arguments ?? words, held, signal }));
    return (await Promise.all(repeated)).filter((text) => text !== undefined);
  };
  const stored = storedIn(notices).filter(isLeft);
  const words = stripNames(message, invocationPrefix, (name) => stored.some((one) => one.name === name));
  const before = message.startsWith(invocationPrefix) ? await repeat(stored, words) : [];
  if (before.length > 0) return { before, words };
  return { before: await repeat(triggeredIn(notices, message)), words: message };
}

/** Returns what the notice of the message stores. */
export function storedOf(invoked: readonly InvokedSkill[]): readonly StoredInstructions[] {
  // One name can be told from its arguments later. Of several, some may be deactivated until then.
  const isSeveral = invoked.length > 1;
  return invoked.map(({ arguments: words, activation }) => ({
    ...instructionsOf(activation),
    ...(isSeveral && { arguments: words }),
  }));
}

export function instructionsOf({ name, digest, changed, alreadyActive }: Activation): StoredInstructions {
  return { name, digest, changed, ...(alreadyActive && { repeated: true }) };
}

/** The skills that a message triggered in an earlier request. Empty if the host stored the message as it was sent. */
export function triggeredIn(notices: readonly StoredNotice[], message: string): readonly StoredInstructions[] {
  const stored = notices.findLast(({ triggered }) => triggered !== undefined);
  return stored === undefined || isSent(stored, message) ? [] : (stored.triggered ?? []);
}

/** The skills that a message invoked in an earlier request. */
function storedIn(notices: readonly StoredNotice[]): readonly StoredInstructions[] {
  return notices.findLast(({ invoked }) => invoked !== undefined)?.invoked ?? [];
}
