import { checkChoice } from "../base/check-choice.ts";
import { SkillError } from "../base/errors.ts";
import { CATALOG_OPTIONS, type Catalog, type CatalogOptions } from "../catalog/catalog.ts";
import type { StoredCatalog } from "../conversation/state.ts";
import { namedOperations, OPERATION_OPTIONS, type OperationOptions } from "../operations/bind-operations.ts";
import type { ModelTool } from "../operations/model-tool.ts";
import type { ModelView } from "../operations/operation.ts";
import type { OperationId } from "../operations/operation-data.ts";
import { operationRules } from "../operations/operation-rules.ts";
import type { Activation } from "../session/activation.ts";
import type { Conversation } from "../session/conversation.ts";
import type { Invocation } from "../session/invocation.ts";
import { hasToolsets } from "../session/load-toolsets.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { describeValue } from "../text/describe-value.ts";
import { withoutGone } from "./gone-texts.ts";
import { injectTurn } from "./inject.ts";
import { missingInstructions, recallAll } from "./instructions.ts";
import { insertTexts, rewriteMessages } from "./messages.ts";
import { lostNotice } from "./notices.ts";
import { catalogOf, showCatalog, withSearch } from "./show-catalog.ts";
import { createTurnTools, hasOwnTools, turnOperations } from "./tools.ts";

/** The part of a message that matters for skills. */
export interface TurnMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** All text that the model reads in the message. */
  readonly text: string;
  /** The calls in a message of the assistant. */
  readonly calls?: readonly TurnCall[];
  /** The results of calls in the message. Those of a skill that is disabled or deleted are then replaced. */
  readonly results?: readonly TurnResult[];
}

/** A call that the model made. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as an object or as JSON. */
  readonly input: unknown;
}

/** The result of a call, as the model reads it. */
export interface TurnResult {
  /** The id of the call. */
  readonly id: string;
  readonly text: string;
  /** The skill that it belongs to, for content that belongs to no call. */
  readonly skill?: string;
}

/** A message as the model receives it. */
export interface SentMessage extends TurnMessage {
  /** The new texts in order, only if the message differs from the original. */
  readonly texts?: readonly string[];
  /** New texts of results, by the id of the call. Each replaces all of the result, also its files. */
  readonly replaced?: ReadonlyMap<string, string>;
}

export const TURN_MODES = ["tools", "inject"] as const;

export interface TurnOptions {
  /** Options for the catalog. Only the first turn of a session uses them. */
  readonly catalog?: CatalogOptions;
  /** The operations for the model, and their names. */
  readonly operations?: OperationOptions;
  /** The names of the host's functions. */
  readonly taken?: readonly string[];
  /**
   * `inject` is for models without tools: the prompt contains the instructions, and there are no functions.
   * @default "tools"
   */
  readonly mode?: (typeof TURN_MODES)[number];
  /** Skills whose instructions are always in the prompt, in `inject` mode. */
  readonly inject?: readonly string[];
  /**
   * Describes skills in a notice that clearly fit the user's new message and that the catalog does not describe.
   * @default false
   */
  readonly suggest?: boolean;
  /** How to use the skills. Replaces the default text about the operations. */
  readonly rules?: string;
  /** Aborts the preparation of the turn. */
  readonly signal?: AbortSignal;
}

/** The skill content of one model request. Use it for this request only. */
export interface Turn {
  /** The catalog and how to use it, for the system prompt. Stays the same for the whole session. */
  readonly instructions: string;
  /** The messages, with invoked instructions and notices of changes since the catalog. */
  readonly messages: readonly SentMessage[];
  /** Every function that may become available during the turn. */
  readonly tools: readonly ModelTool[];
  /** The catalog that the model sees. */
  readonly catalog: Catalog;
  /** The skills that the user's last message invokes, in the order of their names. */
  readonly invoked: readonly InvokedSkill[];
  /**
   * Prepares the next request of a loop from all of its messages, which the host may have shortened or extended. Inserts
   * missing instructions of active skills. `tools` are those available now. `taken` are the host's functions now, if they
   * are others than at the start of the turn.
   */
  step(messages: readonly TurnMessage[], options?: Pick<TurnOptions, "signal" | "taken">): Promise<TurnStep>;
}

export interface TurnStep {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly ModelTool[];
}

/** A skill that a message invokes, with the instructions that the message now contains. */
export interface InvokedSkill extends Invocation {
  readonly activation: Activation;
}

/** Prepares a request. The public API is `session.turn()`. */
export async function openTurn(
  context: Conversation,
  messages: readonly TurnMessage[],
  options: TurnOptions,
): Promise<Turn> {
  if (!Array.isArray(messages)) {
    const message = `turn() takes the messages of a request as a list, not ${describeValue(messages)}.`;
    throw new SkillError("option-invalid", message);
  }
  checkOptions("turn()", options, OPTIONS);
  checkOptions("The option 'catalog' of turn()", options.catalog, CATALOG_OPTIONS);
  checkOptions("The option 'operations' of turn()", options.operations, OPERATION_OPTIONS);
  checkChoice("mode", options.mode, [undefined, ...TURN_MODES]);
  if (options.mode === "inject") return injectTurn(context, messages, options);
  const shown = openCatalog(context, options);
  const callsToolsets = shown.hasToolsets === true || hasToolsets(context.skillset);
  const operations = turnOperations(options.operations, callsToolsets);
  const ownTools = hasOwnTools(options.operations);
  const ruled = ruledOperations(context, turnOperations(options.operations, shown.hasToolsets), shown);
  const rules = options.rules ?? operationRules(ruled, { ownTools: shown.hasTools && ownTools });
  const instructions = shown.text === "" ? "" : `${shown.text}\n\n${rules}`;
  const noticing = { catalog: withSearch(options.catalog, options.operations), rules };
  const { suggest = false, signal } = options;
  const rewriting = await rewriteMessages(context, messages, { ...noticing, shown, suggest, signal });
  const sent = withoutGone(context, rewriting.messages, options);
  const view: ModelView = {
    held: [instructions, ...sent.map(({ text }) => text)],
    active: new Set(context.memory.active.keys()),
  };
  const tools = createTurnTools(context, operations, { taken: options.taken, ownTools }, view);
  return {
    instructions,
    messages: sent,
    tools,
    catalog: catalogOf(shown),
    invoked: rewriting.invoked,
    step: async (next, { signal, taken = options.taken } = options) => {
      const held = [instructions, ...next.map(({ text }) => text)];
      const active = [...view.active].filter((name) => context.memory.active.has(name));
      const missing = await missingInstructions(context, active, held, signal);
      const lost = lostNotice(context, shown, rewriting.notices, next, noticing);
      const texts = [...(await recallAll(context, missing, signal)), ...(lost === undefined ? [] : [lost])];
      const inserted = texts.length === 0 ? next : insertTexts(next, texts);
      const sent = withoutGone(context, inserted, { operations: options.operations, taken });
      view.held = [instructions, ...sent.map(({ text }) => text)];
      return { messages: sent, tools: tools.filter((tool) => tool.isAvailable()) };
    },
  };
}

/** Returns the catalog of the conversation, and records it. */
function openCatalog(context: Conversation, { catalog, operations }: TurnOptions): StoredCatalog {
  const shown = showCatalog(context, catalog, operations);
  context.recordCatalog(shown, Object.keys(shown.skills));
  return shown;
}

/** The operations that the rules describe. The rules stay the same when scripts or skills are added later. */
function ruledOperations(context: Conversation, operations: OperationOptions, shown: StoredCatalog) {
  const isRuled: Partial<Record<OperationId, boolean>> = {
    run_skill_script: shown.hasScripts ?? false,
    search_skills: shown.omitted.length > 0,
  };
  return namedOperations(context, operations).filter(({ definition: { id } }) => isRuled[id] !== false);
}

const OPTIONS: OptionTable<TurnOptions> = {
  catalog: true,
  operations: true,
  taken: true,
  mode: true,
  inject: true,
  suggest: true,
  rules: true,
  signal: true,
};
