import { SkillError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { messageOf } from "../core/base/message-of.ts";
import { type CompactRequestOptions, compactRequest } from "../core/compact/compact-request.ts";
import type { MessageShape } from "../core/compact/compact-with.ts";
import { requireTool } from "../core/require-tool.ts";
import type { Session } from "../core/session.ts";
import { inputError } from "../core/tool/call-tool.ts";
import { type ModelTool, settle, toModelTool } from "../core/tool/model-tool.ts";
import { checkValue } from "../core/tool/schema.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { SentMessage, TurnMessage, TurnOptions } from "../core/turn/turn.ts";
import { checkMaxSteps } from "./max-steps.ts";

/** A tool that the API runs, such as a search. It is passed on unchanged. */
export interface HostedTool {
  readonly type: string;
  readonly [option: string]: unknown;
}

export interface RunOptions<Hosted = HostedTool> extends Omit<TurnOptions, "taken" | "rules"> {
  /**
   * Your own tools, and tools that the API runs.
   * @default []
   */
  readonly tools?: readonly (Tool | Hosted)[];
  /**
   * Maximum number of requests in the run. It ends after that many, even if the model still calls tools.
   * @default 20
   */
  readonly maxSteps?: number;
  /** Shortens each request that exceeds a limit; `added` stays complete. Disabled if omitted. */
  readonly compact?: CompactRequestOptions;
}

/** A call that the model makes; `input` is the JSON that the model wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** How to talk to one API. An item is one element of its conversations. */
export interface ModelApi<Item, Answer, Hosted> {
  readonly shape: MessageShape<Item>;
  /** The host's own instructions, if they are not among the items. */
  readonly instructions?: string;
  /** Sends a request. Returns the answer and the items to add to the conversation; throws if there is no answer. */
  send(request: ModelRequest<Item, Hosted>): Promise<ModelReply<Item, Answer>>;
  toResult(call: FunctionCall, text: string): Item;
}

export interface ModelRequest<Item, Hosted> {
  /** Instructions to add after the host's own; empty without skills. */
  readonly instructions: string;
  readonly items: readonly Item[];
  readonly tools: readonly Pick<ModelTool, "name" | "description" | "inputSchema">[];
  readonly hosted: readonly Hosted[];
}

export interface ModelReply<Item, Answer> {
  readonly answer: Answer;
  /** The model's text, or the reason for its refusal. */
  readonly text: string;
  readonly finish: Exclude<RunFinish, "steps">;
  readonly added: readonly Item[];
  readonly calls: readonly FunctionCall[];
}

/**
 * Why a run ended: the model answered (`stop`), its answer was cut (`length`), it refused (`refused`), or it still called
 * tools after the last step (`steps`).
 */
export type RunFinish = "stop" | "length" | "refused" | "steps";

export interface ModelRun<Item, Answer> {
  /** The model's last answer. */
  readonly answer: Answer;
  /** The text of the answer, or the reason for the refusal. */
  readonly text: string;
  /** The items that the run added. Append them to the conversation to continue it. */
  readonly added: readonly Item[];
  readonly finish: RunFinish;
  /** Whether the model answered completely: `finish` is `stop`. */
  readonly isDone: boolean;
}

/**
 * A run that failed, with the items that it had added until then. `cause` is the original error; `code` is the code of a
 * `SkillError` that caused it, or `run-failed`.
 */
export class RunError<Item = unknown> extends SkillError {
  override readonly name = "RunError";
  /** The items that the run added. Append them to the conversation so that the next run repeats no call. */
  readonly added: readonly Item[];

  constructor(cause: unknown, added: readonly Item[]) {
    const code = cause instanceof SkillError ? cause.code : "run-failed";
    super(code, messageOf(cause), { cause });
    this.added = added;
  }
}

/**
 * Sends requests to the model and runs the tools that it calls, until it answers.
 *
 * @example
 * ```ts
 * import type { Session } from "skillset";
 * import { type ModelReply, type ModelRequest, runModelLoop } from "skillset/adapter";
 *
 * type Item = { readonly role: string; readonly content: string };
 * declare const session: Session;
 * declare function post(request: ModelRequest<Item, never>): Promise<ModelReply<Item, string>>;
 *
 * const { text, added } = await runModelLoop<Item, string, never>(session, [{ role: "user", content: "Hi." }], {}, {
 *   shape: {
 *     read: ({ role, content }) => ({ role, text: content }),
 *     mapText: (item, change) => ({ ...item, content: change(item.content) }),
 *     replaceText: (item, texts) => ({ ...item, content: texts.join("\n\n") }),
 *     write: (content) => ({ role: "user", content }),
 *   },
 *   send: post,
 *   toResult: (_call, content) => ({ role: "tool", content }),
 * });
 * ```
 */
export async function runModelLoop<Item, Answer, Hosted extends { readonly type: string }>(
  session: Session,
  items: readonly Item[],
  options: RunOptions<Hosted>,
  api: ModelApi<Item, Answer, Hosted>,
): Promise<ModelRun<Item, Answer>> {
  const { signal } = options;
  const maxSteps = checkMaxSteps(options.maxSteps);
  const { own, hosted } = sortTools(session, options.tools ?? [], signal);
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
  /** The items to send. Once they are shortened, new items are appended to the shortened list. */
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
      // Also when the calls were not run: APIs reject a conversation in which a call has no result.
      add(...calls.map((one, index) => api.toResult(one, results[index] ?? "")));
      signal?.throwIfAborted();
      if (!isWhole) return { answer, text, added, finish, isDone: false };
      if (step >= maxSteps) return { answer, text, added, finish: "steps", isDone: false };
    }
  } catch (error) {
    throw new RunError(error, added);
  }
}

/** Maps the SDK's roles to those of a turn. An item without one of these roles counts as a tool's. */
function toTurnMessage({ role, text }: { readonly role: string; readonly text: string }): TurnMessage {
  if (role === "developer") return { role: "system", text };
  return { role: role === "system" || role === "user" || role === "assistant" ? role : "tool", text };
}

/** A call in a cut answer may lack half of its arguments and still be valid JSON, so it is not run. */
const NOT_DONE = "This call was not run, because the answer was cut off.";

function sortTools<Hosted extends { readonly type: string }>(
  session: Session,
  tools: readonly (Tool | Hosted)[],
  signal: AbortSignal | undefined,
) {
  const own = tools.filter((tool): tool is Tool => "handler" in tool);
  const hosted = tools.filter((tool): tool is Hosted => !("handler" in tool));
  // Without a handler, its calls would get no result.
  if (hosted.some(({ type }) => type === undefined || type === "function" || type === "custom"))
    throw new SkillError("option-invalid", "A tool needs a 'handler' besides its 'name' and 'description'.");
  const call = (tool: Tool, input: unknown) => {
    requireTool(session, tool.name, input);
    return callOwn(tool, input, signal);
  };
  return { own: own.map((tool) => toModelTool(tool, async (input) => call(tool, input))), hosted };
}

/** Waits for the handler even if the run was cancelled, because its effects belong in the conversation. */
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
