import type { Session } from "../core/session.ts";
import type { JsonSchema } from "../core/skill.ts";
import { type ModelTurnOptions, prepareModelTurn } from "./model-turn.ts";
import { settle } from "./operations.ts";

/** A function of your own that the model may call. */
export interface FunctionTool {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema of an object. */
  readonly parameters: JsonSchema;
  execute(input: unknown, options: { readonly signal?: AbortSignal }): unknown;
}

export interface RunOptions extends ModelTurnOptions {
  readonly tools?: readonly FunctionTool[];
  /** After so many requests the run ends, whatever the model still wants. */
  readonly maxSteps?: number;
}

/** What the model asks for; the input is the JSON that it wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** How one API is spoken to; an item is whatever its conversations are made of. */
export interface ModelApi<Item, Answer> {
  isUser(item: Item): boolean;
  textOf(item: Item): string;
  replaceText(item: Item, texts: readonly string[]): Item;
  /** Sends everything, and gives the answer with what it adds to the conversation. */
  send(
    request: ModelRequest<Item>,
  ): Promise<{ answer: Answer; added: readonly Item[]; calls: readonly FunctionCall[] }>;
  toResult(call: FunctionCall, text: string): Item;
}

export interface ModelRequest<Item> {
  /** The catalog and what else belongs behind the host's own instructions. */
  readonly texts: readonly string[];
  readonly items: readonly Item[];
  readonly tools: readonly Required<Omit<FunctionTool, "execute">>[];
}

export interface ModelRun<Item, Answer> {
  readonly answer: Answer;
  /** What the run added to the conversation: keep it, and it goes on from there. */
  readonly added: readonly Item[];
  /** False when the model still wanted to go on after the last step. */
  readonly isDone: boolean;
}

/** Asks the model, does what it calls for, and asks again until it has answered. */
export async function runModelLoop<Item, Answer>(
  session: Session,
  items: readonly Item[],
  options: RunOptions,
  api: ModelApi<Item, Answer>,
): Promise<ModelRun<Item, Answer>> {
  const { tools: own = [], maxSteps = 20, signal } = options;
  const messages = items.map((item) => ({ isUser: api.isUser(item), text: api.textOf(item) }));
  const taken = own.map(({ name }) => name);
  const { texts, tools: ours, replaced } = await prepareModelTurn(session, messages, options, taken);
  const start = items.map((item, index) => {
    const other = replaced.get(index);
    return other === undefined ? item : api.replaceText(item, other);
  });
  const sending = signal === undefined ? {} : { signal };
  const call = async ({ name, input }: FunctionCall): Promise<string> => {
    const { text } = await settle(async () => {
      const given = parse(input);
      const mine = own.find((one) => one.name === name);
      if (mine !== undefined) return { text: toText(await mine.execute(given, sending)), data: {} };
      const found = ours.find((one) => one.name === name && one.isOffered());
      if (found === undefined) throw new Error(`There is no function '${name.slice(0, 80)}'.`);
      return { text: (await found.execute(given, sending)).text, data: {} };
    });
    return text;
  };
  const added: Item[] = [];
  for (let step = 1; ; step++) {
    const items = [...start, ...added];
    session.observe([...texts, ...items.map(api.textOf)]);
    const offered = ours
      .filter((one) => one.isOffered())
      .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));
    const mine = own.map(({ name, description = "", parameters }) => ({ name, description, parameters }));
    const { answer, calls, ...reply } = await api.send({ texts, items, tools: [...mine, ...offered] });
    added.push(...reply.added);
    if (calls.length === 0) return { answer, added, isDone: true };
    const results = await Promise.all(calls.map(call));
    signal?.throwIfAborted();
    // Also at the last step: a call without its result is refused when the conversation goes on.
    added.push(...calls.map((one, index) => api.toResult(one, results[index] ?? "")));
    if (step >= maxSteps) return { answer, added, isDone: false };
  }
}

function parse(input: string): unknown {
  if (input.trim() === "") return {};
  try {
    return JSON.parse(input);
  } catch {
    throw new Error("The arguments are not JSON.");
  }
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
