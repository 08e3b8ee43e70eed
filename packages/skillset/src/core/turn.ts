import { type CatalogOptions, renderCatalog } from "./catalog.ts";
import type { Invocation } from "./invocation.ts";
import type { LedgerEntry } from "./ledger.ts";
import { toModelMessage } from "./model-message.ts";
import type { Session } from "./session.ts";
import { activeLine, type RuleOptions, rulesFor } from "./session-rules.ts";

/** One message of a conversation, as far as skills are concerned. */
export interface TurnMessage {
  readonly isUser: boolean;
  readonly text: string;
}

export interface TurnOptions extends RuleOptions {
  readonly catalog?: CatalogOptions;
  /** `inject` is for models without tools: instructions stand in the prompt, and nothing is on offer. */
  readonly mode?: "tools" | "inject";
  /** Skills whose instructions are in the prompt anyway, with `inject`. */
  readonly inject?: readonly string[];
  readonly signal?: AbortSignal;
}

/** What a request to a model needs of a session's skills. */
export interface Turn {
  /** The catalog and how to use it: the same bytes as long as the conversation lasts, so that prompt caches hold. */
  readonly prompt: string;
  /** What has changed since, and instructions that are in no message: to be put behind everything that stays. */
  readonly notice: string;
  /** Messages that are given in other words, by their place: texts, one after the other. */
  readonly replaced: ReadonlyMap<number, readonly string[]>;
  /** What the last message of the user asked for by name. */
  readonly invoked?: Invocation;
}

/**
 * Prepares a request: a skill that the last message names is activated, the instructions of every active skill are in
 * the request exactly once, and the session knows what the model is about to see.
 */
export async function prepareTurn(
  session: Session,
  messages: readonly TurnMessage[],
  options: TurnOptions = {},
): Promise<Turn> {
  return options.mode === "inject" ? injectTurn(session, messages, options) : toolTurn(session, messages, options);
}

async function toolTurn(session: Session, messages: readonly TurnMessage[], options: TurnOptions): Promise<Turn> {
  const reading = options.signal && { signal: options.signal };
  const last = messages.findLastIndex(({ isUser }) => isUser);
  const replaced = new Map<number, readonly string[]>();
  const seen: string[] = [];
  let invoked: Invocation | undefined;
  for (const [index, { isUser, text }] of messages.entries()) {
    const invocation = isUser ? session.invocation(text) : undefined;
    const isActive = invocation !== undefined && session.active.includes(invocation.skill.name);
    // A turn that goes on, as after a tool's result, has the message answered in part: it asks for nothing new.
    const isNew = index === last && (index === messages.length - 1 || !isActive);
    let texts: readonly string[] | undefined;
    if (invocation !== undefined && isNew) {
      session.observe(seen);
      invoked = invocation;
      const { skill, arguments: words } = invocation;
      const activation = await session.activate(skill.name, { by: "user", arguments: words, ...reading });
      texts = textsOf(activation.text, words);
    } else if (isActive) {
      // What an earlier request was given in place of `/name` is given again, with the same bytes.
      texts = await repeat(session, text, seen, options);
    }
    if (texts !== undefined) replaced.set(index, texts);
    seen.push(...(texts ?? [text]));
  }
  session.observe(seen);
  const missing = await missingOf(session, seen, options);
  const outdated = session.active.filter((name) => !missing.includes(name) && hasChanged(session, name));
  const recalled = await Promise.all(missing.map((name) => recall(session, name, options)));
  session.observe([...seen, ...recalled]);
  const { text: catalog } = session.catalog(options.catalog);
  const prompt = catalog === "" ? "" : `${catalog}\n\n${rulesFor([], options)}`;
  const active = session.active.length === 0 ? [] : [activeLine(session.active)];
  const notice = [...changesOf(session, options), ...active, ...outdatedLines(outdated), ...recalled].join("\n\n");
  return { prompt, notice, replaced, ...(invoked && { invoked }) };
}

/** The skill that the last message names is there for this one request; nothing is remembered. */
async function injectTurn(session: Session, messages: readonly TurnMessage[], options: TurnOptions): Promise<Turn> {
  const reading = options.signal && { signal: options.signal };
  const last = messages.findLastIndex(({ isUser }) => isUser);
  const text = messages[last]?.text ?? "";
  const invoked = session.invocation(text);
  const wanted = new Set(options.inject);
  const names = new Set([...wanted, ...session.active]);
  if (invoked !== undefined) names.delete(invoked.skill.name);
  const injected = await Promise.all(
    Array.from(names, (name) => (wanted.has(name) ? session.recall(name, reading) : recall(session, name, options))),
  );
  const { instructions } = await session.fallback(text, reading);
  const notice = [...injected, instructions].filter((one) => one !== "").join("\n\n");
  // Earlier invocations are put in the words that their own requests had.
  const replaced = messages.flatMap((message, index): [number, string[]][] => {
    const words = message.isUser && session.invocation(message.text)?.arguments;
    return words ? [[index, [words]]] : [];
  });
  return { prompt: "", notice, replaced: new Map(replaced), ...(invoked && { invoked }) };
}

/** What an earlier `/name` was replaced by; nothing when the skill cannot be read now. */
async function repeat(session: Session, text: string, request: readonly string[], { signal }: TurnOptions) {
  try {
    const { instructions, message } = await session.fallback(text, { request, ...(signal && { signal }) });
    return textsOf(instructions, message);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** An active skill that cannot be read now must not end the conversation: the model is told instead. */
async function recall(session: Session, name: string, { signal }: TurnOptions): Promise<string> {
  try {
    return await session.recall(name, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    return `The instructions of skill '${name}' cannot be read now: ${toModelMessage(error)}`;
  }
}

/** The active skills whose instructions are in none of the texts. */
async function missingOf(session: Session, texts: readonly string[], { signal }: TurnOptions) {
  const missing: string[] = [];
  for (const name of session.active) {
    const isThere = await session.holds(name, texts, signal && { signal }).catch(() => false);
    signal?.throwIfAborted();
    if (!isThere) missing.push(name);
  }
  return missing;
}

function textsOf(instructions: string, words: string): readonly string[] {
  return words === "" ? [instructions] : [instructions, words];
}

/** Whether the instructions are others than those that the conversation was given. */
export function hasChanged({ ledger }: Session, name: string): boolean {
  const isAbout = (entry: LedgerEntry): boolean =>
    (entry.type === "skill-activated" || entry.type === "skill-changed") && entry.skill === name;
  return ledger.findLast(isAbout)?.type === "skill-changed";
}

function outdatedLines(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    `The instructions of these skills have changed: ${names.join(", ")}. Activate them again before you use them.`,
  ];
}

/** What the catalog does not say yet, or says no longer rightly. */
function changesOf({ offered, skillset }: Session, { catalog }: TurnOptions): readonly string[] {
  if (offered === skillset) return [];
  const added = renderCatalog(
    skillset.skills.filter(({ name }) => !offered.has(name)),
    catalog,
  );
  const removed = offered.names.filter((name) => !skillset.has(name));
  return [
    ...(added.text === "" ? [] : [`These skills are new:\n${added.text}`]),
    ...(removed.length === 0 ? [] : [`These skills are gone: ${removed.join(", ")}.`]),
  ];
}
