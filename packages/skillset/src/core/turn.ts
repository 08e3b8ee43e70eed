import type { Activation } from "./activation.ts";
import { type Catalog, type CatalogOptions, renderCatalog } from "./catalog.ts";
import { type Invocation, parseInvocation } from "./invocation.ts";
import { activate } from "./operations/activate-skill.ts";
import { namedOperations, type OperationOptions } from "./operations/bind-operations.ts";
import type { ModelView } from "./operations/operation.ts";
import type { SessionContext } from "./session-context.ts";
import { operationRules } from "./session-rules.ts";
import type { StoredCatalog, StoredInstructions, StoredNotice } from "./session-store.ts";
import { injectTurn } from "./turn-inject.ts";
import { missingInstructions, recallInstructions, repeatInstructions } from "./turn-instructions.ts";
import { describe, messageDigest, noticeOf, placeNotices, userMessages } from "./turn-notices.ts";
import { createTurnTools, hasOwnTools, type TurnTool, turnOperations } from "./turn-tools.ts";

/** One message of a conversation, as far as skills are concerned. */
export interface TurnMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Everything that a model reads in it. */
  readonly text: string;
}

/** A message as the model is to read it. */
export interface SentMessage extends TurnMessage {
  /** Only where the message differs from the given one: its new texts, one after the other. */
  readonly texts?: readonly string[];
}

export interface TurnOptions {
  /** How the catalog looks. The first turn of a conversation decides. */
  readonly catalog?: CatalogOptions;
  /** Which operations the model has, under which names. */
  readonly operations?: OperationOptions;
  /** The names of the host's own functions. */
  readonly taken?: readonly string[];
  /**
   * `inject` is for models without tools: instructions are part of the prompt, and there are no functions.
   * @default "tools"
   */
  readonly mode?: "tools" | "inject";
  /** Skills whose instructions are part of the prompt anyway, with `inject`. */
  readonly inject?: readonly string[];
  /** How to use the skills, in place of the sentences about the operations. */
  readonly rules?: string;
  readonly signal?: AbortSignal;
}

/** What one request to a model needs of a session's skills. It belongs to this request alone. */
export interface Turn {
  /** The catalog and how to use it, for the system prompt: the same bytes for the whole conversation. */
  readonly instructions: string;
  /** The given messages, with the instructions that they invoke and with what has changed since the catalog. */
  readonly messages: readonly SentMessage[];
  /** Every function that may become available during the turn. */
  readonly tools: readonly TurnTool[];
  /** Exactly what the model is shown. */
  readonly catalog: Catalog;
  /** The skill that the person's last message names. */
  readonly invoked?: InvokedSkill;
  /**
   * Prepares the next request of a loop from all of its messages, which the host may have shortened or extended:
   * the instructions of active skills are put back where they are missing, and `tools` are those available now.
   */
  step(messages: readonly TurnMessage[], options?: { readonly signal?: AbortSignal }): Promise<TurnStep>;
}

export interface TurnStep {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly TurnTool[];
}

/** A skill that a message asked for by name, and the instructions that the message now has. */
export interface InvokedSkill extends Invocation {
  readonly activation: Activation;
}

/** Prepares a request; `session.turn()` is the public way. */
export async function openTurn(
  context: SessionContext,
  messages: readonly TurnMessage[],
  options: TurnOptions,
): Promise<Turn> {
  if (options.mode === "inject") return injectTurn(context, messages, options);
  const isStart = context.memory.catalog === undefined;
  const shown = showCatalog(context, options);
  const operations = turnOperations(options.operations);
  const ownTools = shown.hasTools && hasOwnTools(operations);
  const rules = options.rules ?? operationRules(namedOperations(operations), { ownTools });
  const instructions = shown.text === "" ? "" : `${shown.text}\n\n${rules}`;
  const rewriting = await rewrite(context, messages, { ...options, shown, rules, isStart });
  const view: ModelView = {
    held: [instructions, ...rewriting.messages.map(({ text }) => text)],
    active: new Set(context.memory.active.keys()),
  };
  const tools = createTurnTools(context, operations, options.taken ?? [], view);
  return {
    instructions,
    messages: rewriting.messages,
    tools,
    catalog: catalogOf(shown),
    ...(rewriting.invoked && { invoked: rewriting.invoked }),
    step: async (next, { signal } = options) => {
      const held = [instructions, ...next.map(({ text }) => text)];
      const missing = await missingInstructions(context, view.active, held, signal);
      const sent = missing.length === 0 ? next : insertTexts(next, await textsOf(context, missing, signal));
      view.held = [instructions, ...sent.map(({ text }) => text)];
      return { messages: sent, tools: tools.filter((tool) => tool.isAvailable()) };
    },
  };
}

/** The catalog of the first request, which all later ones repeat. */
function showCatalog(context: SessionContext, { catalog: options }: TurnOptions): StoredCatalog {
  const { memory, skillset, countTokens } = context;
  const shown = memory.catalog ?? memory.show(toStoredCatalog(skillset.skills, { countTokens, ...options }));
  context.recordCatalog(shown, Object.keys(shown.skills));
  return shown;
}

function toStoredCatalog(skills: SessionContext["skillset"]["skills"], options: CatalogOptions): StoredCatalog {
  const { text, tokens, shortened, nameOnly, omitted } = renderCatalog(skills, options);
  const listed = describe(skills.filter(({ modelInvocable }) => modelInvocable));
  const hasTools = skills.some(({ tools }) => tools.length > 0);
  return { text, tokens, skills: listed, shortened, nameOnly, omitted, hasTools };
}

function catalogOf({ text, tokens, skills, shortened, nameOnly, omitted }: StoredCatalog): Catalog {
  const shown = Object.keys(skills).length - omitted.length;
  return { text, characters: text.length, tokens, shown, shortened, nameOnly, omitted };
}

interface RewriteOptions extends TurnOptions {
  readonly shown: StoredCatalog;
  readonly rules: string;
  /** The catalog is new, so it has to be stored. */
  readonly isStart: boolean;
}

/** The messages as they were sent before, byte for byte, and the last one with what is new. */
async function rewrite(
  context: SessionContext,
  messages: readonly TurnMessage[],
  { shown, rules, isStart, catalog, signal }: RewriteOptions,
): Promise<Pick<Turn, "messages" | "invoked">> {
  const { memory } = context;
  const placed = await placeNotices(memory.notices, messages);
  const last = messages.findLastIndex(({ role }) => role === "user");
  const parts: MessageParts[] = [];
  const held = (): string[] => parts.map(textOfParts);
  let invoked: InvokedSkill | undefined;
  for (const [index, message] of messages.entries()) {
    const notices = placed.get(index) ?? [];
    // A turn that goes on, as after a tool's result, has its message answered in part: it asks for nothing new.
    const isNew = index === last && index === messages.length - 1;
    const invocation = isNew ? invocationIn(context, message) : undefined;
    if (invocation !== undefined) invoked = await invoke(context, invocation, held(), signal);
    const own = invoked && isNew ? { before: [invoked.activation.text], words: invoked.arguments } : undefined;
    parts.push(await repeatMessage(context, message, notices, own, held(), signal));
  }
  const missing = await missingInstructions(context, [...memory.active.keys()], held(), signal);
  const isAsked = last !== -1 && last === messages.length - 1;
  const notice = isAsked ? noticeOf(context, shown, placed, { catalog, rules }) : undefined;
  const part = parts[last];
  const isRepeated = placed.get(last)?.some((one) => one.invoked?.digest === invoked?.activation.digest);
  const hasInvoked = invoked !== undefined && isRepeated !== true;
  const hasNews = part !== undefined && (notice !== undefined || missing.length > 0 || hasInvoked);
  if (hasNews) {
    memory.addNotice({
      message: await messageDigest(messages[last]?.text ?? ""),
      position: userMessages(messages).length - 1,
      ...(invoked && { invoked: storedOf(invoked.activation) }),
      ...(missing.length > 0 && { given: missing }),
      ...notice,
    });
    const news = [...(await textsOf(context, missing, signal)), ...(notice?.text === undefined ? [] : [notice.text])];
    parts[last] = { ...part, before: [...part.before, ...news] };
  }
  if (hasNews || isStart) await memory.save();
  return { messages: messages.map((message, index) => toSent(message, parts[index])), ...(invoked && { invoked }) };
}

/** A message taken apart: what the library puts into it, and the person's own words behind that. */
interface MessageParts {
  readonly before: readonly string[];
  readonly words: string;
}

/** A message with what earlier requests put into it; `own` is what this one puts in place of `/name`. */
async function repeatMessage(
  context: SessionContext,
  message: TurnMessage,
  notices: readonly StoredNotice[],
  own: MessageParts | undefined,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<MessageParts> {
  const invoked = notices.find((notice) => notice.invoked !== undefined)?.invoked;
  const { before: first, words } = own ??
    (await repeatInvocation(context, message, invoked, held, signal)) ?? { before: [], words: message.text };
  const before = [...first];
  for (const { given = [], text } of notices) {
    const isSent = text !== undefined && message.text.includes(text);
    if (isSent) continue;
    before.push(...(await textsOf(context, given, signal)), ...(text === undefined ? [] : [text]));
  }
  return { before, words };
}

/** What stands for an earlier `/name`: the same text as then. Left alone when the skill was unloaded since. */
async function repeatInvocation(
  context: SessionContext,
  message: TurnMessage,
  invoked: StoredInstructions | undefined,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<MessageParts | undefined> {
  if (message.role !== "user" || !message.text.startsWith(context.sigil)) return undefined;
  const found = invocationIn(context, message);
  const name = invoked?.name ?? found?.skill.name;
  const isUnloaded = name === undefined || (context.skillset.has(name) && !context.memory.active.has(name));
  if (isUnloaded) return undefined;
  const words = found?.arguments ?? wordsBehind(message.text, context.sigil);
  const active = context.memory.active.get(name);
  const wanted = invoked ?? (active && { name, digest: active.digest, changed: false });
  const text = wanted && (await repeatInstructions(context, wanted, { words, held, signal }));
  return text === undefined ? undefined : { before: [text], words };
}

function invocationIn({ skillset, sigil }: SessionContext, { role, text }: TurnMessage): Invocation | undefined {
  return role === "user" ? parseInvocation(text, skillset, sigil) : undefined;
}

async function invoke(
  context: SessionContext,
  invocation: Invocation,
  held: readonly string[],
  signal: AbortSignal | undefined,
): Promise<InvokedSkill> {
  const { skill, arguments: words } = invocation;
  const activation = await activate(context, skill.name, { by: "user", arguments: words, signal, held });
  return { ...invocation, activation };
}

/** The texts of instructions that are in no message; what cannot be read now is said instead. */
async function textsOf(
  context: SessionContext,
  given: readonly StoredInstructions[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  return Promise.all(given.map((one) => recallInstructions(context, one, signal)));
}

function storedOf({ name, digest, changed }: Activation): StoredInstructions {
  return { name, digest, changed };
}

function wordsBehind(text: string, sigil: string): string {
  return text.slice(sigil.length).replace(/^\S+/, "").trim();
}

function textOfParts({ before, words }: MessageParts): string {
  return joined(before, words).join("\n\n");
}

function joined(before: readonly string[], words: string): readonly string[] {
  return words === "" ? before : [...before, words];
}

function toSent(message: TurnMessage, parts: MessageParts | undefined): SentMessage {
  if (parts === undefined || (parts.before.length === 0 && parts.words === message.text)) return message;
  return sentMessage(message, parts.before, parts.words);
}

/** The message with these texts before the words. */
export function sentMessage({ role }: TurnMessage, before: readonly string[], words: string): SentMessage {
  const texts = joined(before, words);
  return { role, text: texts.join("\n\n"), texts };
}

/** The messages with more texts in the last one of the person. */
function insertTexts(messages: readonly TurnMessage[], texts: readonly string[]): readonly SentMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => (index === last ? sentMessage(message, texts, message.text) : message));
}
