import { SkillError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { messageOf } from "../core/base/message-of.ts";
import { type CompactRequestOptions, compactRequest } from "../core/compact/compact-request.ts";
import type { MessageShape } from "../core/compact/compact-with.ts";
import type { Session } from "../core/session.ts";
import { inputError } from "../core/tool/call-tool.ts";
import { type ModelTool, settle, toModelTool } from "../core/tool/model-tool.ts";
import { checkValue } from "../core/tool/schema.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { SentMessage, TurnMessage, TurnOptions } from "../core/turn/turn.ts";
import { checkMaxSteps } from "./max-steps.ts";

/** A tool that an API runs itself, such as a search; it is passed on as it is. */
export interface HostedTool {
  readonly type: string;
  readonly [option: string]: unknown;
}

export interface RunOptions<Hosted = HostedTool> extends Omit<TurnOptions, "taken" | "rules"> {
  /** Tools of your own, and tools that the API runs itself. */
  readonly tools?: readonly (Tool | Hosted)[];
  /** After so many requests the run ends, whatever the model still wants: 20 by default. */
  readonly maxSteps?: number;
  /** Shortens each request that is over a limit; `added` stays whole. */
  readonly compact?: CompactRequestOptions;
}

/** What the model asks for; the input is the JSON that it wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** How one API is spoken to; an item is whatever its conversations are made of. */
export interface ModelApi<Item, Answer, Hosted> {
  readonly shape: MessageShape<Item>;
  /** The host's own instructions, where they are not among the items. */
  readonly instructions?: string;
  /** Sends everything, and gives the answer with what it adds to the conversation; throws when there is none. */
  send(request: ModelRequest<Item, Hosted>): Promise<ModelReply<Item, Answer>>;
  toResult(call: FunctionCall, text: string): Item;
}

export interface ModelRequest<Item, Hosted> {
  /** What belongs behind the host's own instructions; empty without skills. */
  readonly instructions: string;
  readonly items: readonly Item[];
  readonly tools: readonly Pick<ModelTool, "name" | "description" | "inputSchema">[];
  readonly hosted: readonly Hosted[];
}

export interface ModelReply<Item, Answer> {
  readonly answer: Answer;
  /** What the model said, or why it refuses. */
  readonly text: string;
  readonly finish: Exclude<RunFinish, "steps">;
  readonly added: readonly Item[];
  readonly calls: readonly FunctionCall[];
}

/** Why a run ended: the model had answered, was cut short, or refused; or it wanted to go on after the last step. */
export type RunFinish = "stop" | "length" | "refused" | "steps";

export interface ModelRun<Item, Answer> {
  /** The model's last one. */
  readonly answer: Answer;
  /** What it says; when the model refused, why. */
  readonly text: string;
  /** What the run added to the conversation: keep it, and it goes on from there. */
  readonly added: readonly Item[];
  readonly finish: RunFinish;
  /** Whether the model has answered, from start to end: `finish` is `stop`. */
  readonly isDone: boolean;
}

/**
 * A run that failed, with what it had done until then. `cause` is what went wrong; `code` is that of a `SkillError`
 * which caused it, or `run-failed`.
 */
export class RunError<Item = unknown> extends SkillError {
  override readonly name = "RunError";
  /** What the run added to the conversation: keep it, and the next run repeats no call. */
  readonly added: readonly Item[];

  constructor(cause: unknown, added: readonly Item[]) {
    const code = cause instanceof SkillError ? cause.code : "run-failed";
    super(code, messageOf(cause), { cause });
    this.added = added;
  }
}

/** Asks the model, does what it calls for, and asks again until it has answered. */
export async function runModelLoop<Item, Answer, Hosted extends { readonly type: string }>(
  session: Session,
  items: readonly Item[],
  options: RunOptions<Hosted>,
  api: ModelApi<Item, Answer, Hosted>,
): Promise<ModelRun<Item, Answer>> {
  const { signal } = options;
  const maxSteps = checkMaxSteps(options.maxSteps);
  const { own, hosted } = sortTools(options.tools ?? [], signal);
  const { shape } = api;
  const toItems = (list: readonly Item[], messages: readonly SentMessage[]): Item[] =>
    list.map((item, index) => {
      const texts = messages[index]?.texts;
      return texts === undefined ? item : shape.replaceText(item, texts);
    });
  const toMessages = (list: readonly Item[]): TurnMessage[] => list.map((item) => toTurnMessage(shape.read(item)));
  const taken = own.map(({ name }) => name);
  const turn = await session.turn(toMessages(items), { ...options, taken });
  const { instructions } = turn;
  const start = toItems(items, turn.messages);
  const before = [api.instructions ?? "", instructions];
  const invocations = turn.messages.filter(({ texts }) => texts !== undefined).map(({ text }) => text);
  const sending = signal === undefined ? {} : { signal };
  const call = async ({ name, input }: FunctionCall): Promise<string> => {
    const { text } = await settle(async () => {
      const given = parse(input);
      const found = [...own, ...turn.tools].find((one) => one.name === name && one.isAvailable());
      if (found === undefined) throw new Error(`There is no function '${name.slice(0, LIMITS.shown.nameCharacters)}'.`);
      return { text: (await found.execute(given, sending)).text, data: {} };
    });
    return text;
  };
  const added: Item[] = [];
  /** What is sent; once it was shortened, only the new items follow it. */
  let sent: readonly Item[] = start;
  const add = (...more: readonly Item[]): void => {
    added.push(...more);
    sent = [...sent, ...more];
  };
  try {
    for (let step = 1; ; step++) {
      const { compact } = options;
      if (compact) sent = await compactRequest(session, sent, { texts: before, invocations }, compact, shape);
      const next = await turn.step(toMessages(sent), sending);
      const reply = await api.send({
        instructions,
        items: toItems(sent, next.messages),
        tools: [...own, ...next.tools],
        hosted,
      });
      const { answer, text, finish, calls } = reply;
      add(...reply.added);
      if (calls.length === 0) return { answer, text, added, finish, isDone: finish === "stop" };
      const isWhole = finish === "stop";
      const results = isWhole ? await Promise.all(calls.map(call)) : calls.map(() => NOT_DONE);
      // In any case: a call without its result is refused when the conversation goes on.
      add(...calls.map((one, index) => api.toResult(one, results[index] ?? "")));
      signal?.throwIfAborted();
      if (!isWhole) return { answer, text, added, finish, isDone: false };
      if (step >= maxSteps) return { answer, text, added, finish: "steps", isDone: false };
    }
  } catch (error) {
    throw new RunError(error, added);
  }
}

/** By the role that the SDK gives it: whatever is nobody's words is a tool's. */
function toTurnMessage({ role, text }: { readonly role: string; readonly text: string }): TurnMessage {
  if (role === "developer") return { role: "system", text };
  return { role: role === "system" || role === "user" || role === "assistant" ? role : "tool", text };
}

/** What was cut may lack half of its arguments, and still be JSON. */
const NOT_DONE = "This was not done, because the answer ended before it was whole.";

function sortTools<Hosted extends { readonly type: string }>(
  tools: readonly (Tool | Hosted)[],
  signal: AbortSignal | undefined,
) {
  const own = tools.filter((tool): tool is Tool => "handler" in tool);
  const hosted = tools.filter((tool): tool is Hosted => !("handler" in tool));
  // Nobody would answer its calls.
  if (hosted.some(({ type }) => type === undefined || type === "function" || type === "custom"))
    throw new SkillError("option-invalid", "A tool of yours needs a 'handler' beside its 'name' and 'description'.");
  return { own: own.map((tool) => toModelTool(tool, (input) => callOwn(tool, input, signal))), hosted };
}

/** Waits for the handler although the run was cancelled: what it did belongs to the conversation. */
async function callOwn(tool: Tool, input: unknown, signal = new AbortController().signal) {
  const { value, issues } = await checkValue(tool.inputSchema, input);
  if (issues.length > 0) throw inputError(`'${tool.name}'`, issues);
  return { text: toText(await tool.handler(value, { signal })), data: {} };
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
