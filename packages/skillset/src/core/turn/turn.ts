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
import type { LedgerEvent } from "../session/ledger.ts";
import { hasToolsets } from "../session/load-toolsets.ts";
import { skillsOffered } from "../session/session-catalog.ts";
import { snapshotOf } from "../session/snapshot.ts";
import { checkOptions, type OptionTable } from "../text/check-options.ts";
import { describeValue } from "../text/describe-value.ts";
import { type Composed, type ComposeOptions, compose, type Gathered } from "./compose.ts";
import { composeStep, heldIn } from "./compose-step.ts";
import { gather } from "./gather.ts";
import { injectTurn } from "./inject.ts";
import { findLost, readAll } from "./instructions.ts";
import { catalogOf, firstCatalog, withSearch } from "./show-catalog.ts";
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
  conversation: Conversation,
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
  if (options.mode === "inject") return injectTurn(conversation, messages, options);
  const { operations, taken, signal } = options;
  const shown = showCatalog(conversation, options.catalog, operations);
  record(conversation, skillsOffered(shown, Object.keys(shown.skills)));
  const rules = options.rules ?? rulesFor(conversation, operations, shown);
  const composing = { shown, rules, catalog: withSearch(options.catalog, operations), operations, taken };
  const gathered = await gather(conversation, messages, shown, options);
  const composed = await composeAndSave(conversation, messages, gathered, composing, signal);
  const { instructions } = composed;
  const { memory } = conversation;
  const view: ModelView = { held: heldIn(instructions, composed.messages), active: new Set(memory.active.keys()) };
  const offered = turnOperations(operations, shown.hasToolsets === true || hasToolsets(conversation.skillset));
  const tools = createTurnTools(conversation, offered, { taken, ownTools: hasOwnTools(operations) }, view);
  return {
    instructions,
    messages: composed.messages,
    tools,
    catalog: catalogOf(shown),
    invoked: composed.invoked,
    step: async (next, { signal, taken } = options) => {
      const active = [...view.active].filter((name) => memory.active.has(name));
      const lost = await findLost(conversation, active, heldIn(instructions, next), signal);
      const snapshot = snapshotOf(conversation);
      const step = composeStep(snapshot, next, lost, composed, { ...composing, taken: taken ?? options.taken });
      record(conversation, step.recorded);
      view.held = heldIn(instructions, step.messages);
      return { messages: step.messages, tools: tools.filter((tool) => tool.isAvailable()) };
    },
  };
}

/**
 * Composes a request, and saves what it changes. Nothing is awaited between the two: turns of one session may overlap, and
 * each sees what the others have added. Instructions that another one has added since are read first.
 */
async function composeAndSave(
  conversation: Conversation,
  messages: readonly TurnMessage[],
  gathered: Gathered,
  options: ComposeOptions,
  signal: AbortSignal | undefined,
): Promise<Composed> {
  const composed = compose(snapshotOf(conversation), messages, gathered, options);
  if (composed.unread.length > 0) {
    const texts = new Map([...gathered.texts, ...(await readAll(conversation, composed.unread, signal))]);
    return composeAndSave(conversation, messages, { ...gathered, texts }, options, signal);
  }
  record(conversation, composed.recorded);
  await conversation.commit(composed.events);
  return composed;
}

/** Returns the catalog of the first request, which all later ones repeat. Writes it if this is the first one. */
export function showCatalog(
  conversation: Conversation,
  options?: CatalogOptions,
  operations?: OperationOptions,
): StoredCatalog {
  const { memory } = conversation;
  if (memory.catalog !== undefined) return memory.catalog;
  const catalog = firstCatalog(snapshotOf(conversation), withSearch(options, operations), conversation.hasScripts);
  // Before anything is awaited, so that turns at the same time have the same one. It is saved with the next event.
  conversation.apply([{ type: "catalog-shown", catalog }]);
  return catalog;
}

function record(conversation: Conversation, events: readonly LedgerEvent[]): void {
  for (const event of events) conversation.record(event);
}

/** Returns the rules below the catalog. They stay the same when scripts or skills are added later. */
function rulesFor(conversation: Conversation, operations: OperationOptions | undefined, shown: StoredCatalog): string {
  const isRuled: Partial<Record<OperationId, boolean>> = {
    run_skill_script: shown.hasScripts ?? false,
    search_skills: shown.omitted.length > 0,
  };
  const named = namedOperations(conversation, turnOperations(operations, shown.hasToolsets));
  const ruled = named.filter(({ definition: { id } }) => isRuled[id] !== false);
  return operationRules(ruled, { ownTools: shown.hasTools && hasOwnTools(operations) });
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
