import { type Catalog, type CatalogOptions, renderCatalog } from "../catalog/catalog.ts";
import { namedOperations, type OperationOptions } from "../operations/bind-operations.ts";
import type { ModelView } from "../operations/operation.ts";
import { operationRules } from "../operations/operation-rules.ts";
import type { Activation } from "../session/activation.ts";
import type { SessionContext } from "../session/context.ts";
import type { Invocation } from "../session/invocation.ts";
import type { StoredCatalog } from "../session/store.ts";
import { escapeSkillTags } from "../text/escape.ts";
import type { ModelTool } from "../tool/model-tool.ts";
import { injectTurn } from "./inject.ts";
import { missingInstructions, recallAll } from "./instructions.ts";
import { insertTexts, rewriteMessages } from "./messages.ts";
import { describe, lostNotice } from "./notices.ts";
import { createTurnTools, hasOwnTools, turnOperations } from "./tools.ts";

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
  readonly tools: readonly ModelTool[];
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
  readonly tools: readonly ModelTool[];
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
  const shown = showCatalog(context, options);
  const operations = turnOperations(options.operations);
  const ownTools = shown.hasTools && hasOwnTools(operations);
  const rules = options.rules ?? operationRules(namedOperations(operations), { ownTools });
  const instructions = shown.text === "" ? "" : `${shown.text}\n\n${rules}`;
  const noticing = { catalog: options.catalog, rules };
  const rewriting = await rewriteMessages(context, messages, { ...noticing, shown, signal: options.signal });
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
      const active = [...view.active].filter((name) => context.memory.active.has(name));
      const missing = await missingInstructions(context, active, held, signal);
      const lost = lostNotice(context, shown, rewriting.notices, next, noticing);
      const texts = [...(await recallAll(context, missing, signal)), ...(lost === undefined ? [] : [lost])];
      const sent = texts.length === 0 ? next : insertTexts(next, texts);
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
  const { text: rendered, tokens, shortened, nameOnly, omitted } = renderCatalog(skills, options);
  // A description cannot look like what the library adds to messages.
  const text = escapeSkillTags(rendered);
  const listed = describe(skills.filter(({ modelInvocable }) => modelInvocable));
  const hasTools = skills.some(({ tools }) => tools.length > 0);
  return { text, tokens, skills: listed, shortened, nameOnly, omitted, hasTools };
}

function catalogOf({ text, tokens, skills, shortened, nameOnly, omitted }: StoredCatalog): Catalog {
  const shown = Object.keys(skills).length - omitted.length;
  return { text, characters: text.length, tokens, shown, shortened, nameOnly, omitted };
}
