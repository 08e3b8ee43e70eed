import { hasInstructions } from "./activation.ts";
import { type CatalogOptions, renderCatalog } from "./catalog.ts";
import type { Invocation } from "./invocation.ts";
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
    let texts: readonly string[] | undefined;
    if (invocation !== undefined && index === last) {
      session.observe(seen);
      invoked = invocation;
      const { skill, arguments: words } = invocation;
      const activation = await session.activate(skill.name, { by: "user", arguments: words, ...reading });
      texts = textsOf(activation.text, words);
    } else if (invocation !== undefined && session.active.includes(invocation.skill.name)) {
      // What an earlier request was given in place of `/name` is given again, with the same bytes.
      const { instructions, message } = await session.fallback(text, { request: seen, ...reading });
      texts = textsOf(instructions, message);
    }
    if (texts !== undefined) replaced.set(index, texts);
    seen.push(...(texts ?? [text]));
  }
  session.observe(seen);
  const missing = session.active.filter((name) => !seen.some((text) => hasInstructions(text, name)));
  const recalled = await Promise.all(missing.map((name) => session.recall(name, reading)));
  session.observe([...seen, ...recalled]);
  const { text: catalog } = session.catalog(options.catalog);
  const prompt = catalog === "" ? "" : `${catalog}\n\n${rulesFor([], options)}`;
  const active = session.active.length === 0 ? [] : [activeLine(session.active)];
  const notice = [...changesOf(session, options), ...active, ...recalled].join("\n\n");
  return { prompt, notice, replaced, ...(invoked && { invoked }) };
}

/** The skill that the last message names is there for this one request; nothing is remembered. */
async function injectTurn(session: Session, messages: readonly TurnMessage[], options: TurnOptions): Promise<Turn> {
  const reading = options.signal && { signal: options.signal };
  const last = messages.findLastIndex(({ isUser }) => isUser);
  const text = messages[last]?.text ?? "";
  const invoked = session.invocation(text);
  const names = new Set([...(options.inject ?? []), ...session.active]);
  if (invoked !== undefined) names.delete(invoked.skill.name);
  const injected = await Promise.all(Array.from(names, (name) => session.recall(name, reading)));
  if (invoked === undefined) return { prompt: "", notice: injected.join("\n\n"), replaced: new Map() };
  const { message, instructions } = await session.fallback(text, reading);
  const notice = [...injected, instructions].join("\n\n");
  return { prompt: "", notice, replaced: new Map([[last, [message || text]]]), invoked };
}

function textsOf(instructions: string, words: string): readonly string[] {
  return words === "" ? [instructions] : [instructions, words];
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
