import { SkillError } from "../core/base/errors.ts";
import { messageOf } from "../core/base/message-of.ts";
import { type CompactRequestOptions, compactRequest } from "../core/compact/compact-request.ts";
import type { MessageShape } from "../core/compact/compact-with.ts";
import type { ModelTool } from "../core/operations/model-tool.ts";
import type { Session } from "../core/session.ts";
import { type OperationResult, settle } from "../core/tool/model-tool.ts";
import type { ResultFile } from "../core/tool/result-file.ts";
import { missingFunction } from "../core/tool/tool-name.ts";
import type { TurnOptions } from "../core/turn/turn.ts";
import { type HostTool, toModelTools } from "./host-tools.ts";
import { checkMaxSteps } from "./max-steps.ts";
import { openNativeTurn } from "./native-turn.ts";

/** The options of every run, besides the client and the request. */
export interface RunOptions extends Omit<TurnOptions, "taken" | "rules"> {
  readonly session: Session;
  /**
   * Your own tools, from `defineTool`, or a function that returns those for the next request. Tools that the API runs
   * belong in the request.
   * @default []
   */
  readonly tools?: readonly HostTool[] | (() => readonly HostTool[]);
  /** Ends the run after a step in which this returns true, without another request. */
  readonly stopWhen?: () => boolean;
  /**
   * Maximum number of requests in the run. It ends after that many, even if the model still calls tools.
   * @default 20
   */
  readonly maxSteps?: number;
  /**
   * Sends binary files and data that the model reads as files, as far as the API takes them. With `false`, for models
   * without vision, binary files are refused with an error, and data is text.
   * @default true
   */
  readonly files?: boolean;
  /** Shortens each request that exceeds a limit; `added` stays complete. Disabled if omitted. */
  readonly compact?: CompactRequestOptions;
}

/** A call that the model makes; `input` is the JSON that the model wrote. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** A call and its result. */
export interface CallResult extends FunctionCall {
  readonly text: string;
  readonly isError: boolean;
  /** Files that follow the text. */
  readonly files?: readonly ResultFile[];
}

/** How to talk to one API. An item is one element of its conversations. */
export interface ModelApi<Item, Answer> {
  readonly shape: MessageShape<Item>;
  /** The host's own instructions, if they are not among the items. */
  readonly instructions?: string;
  /** Sends a request. Returns the answer and the items to add to the conversation; throws if there is no answer. */
  send(request: ModelRequest<Item>): Promise<ModelReply<Item, Answer>>;
  /** Whether results can have files with this media type. No files, if omitted. */
  readonly takesFile?: (mediaType: string) => boolean;
  /** Returns the items for the results of all calls in one answer. */
  toResults(results: readonly CallResult[]): readonly Item[];
}

export interface ModelRequest<Item> {
  /** Instructions to add after the host's own; empty without skills. */
  readonly instructions: string;
  readonly items: readonly Item[];
  readonly tools: readonly Pick<ModelTool, "name" | "description" | "inputSchema">[];
}

export interface ModelReply<Item, Answer> {
  readonly answer: Answer;
  /** The model's text, or the reason for its refusal. */
  readonly text: string;
  /** With `paused`, the same conversation is sent again, with this answer. */
  readonly finish: Exclude<RunFinish, "steps"> | "paused";
  readonly added: readonly Item[];
  readonly calls: readonly FunctionCall[];
}

/**
 * Why a run ended: the model answered (`stop`), its answer was cut (`length`), it refused (`refused`), or it was not done
 * after the last step (`steps`).
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
  /** The number of requests that the run sent. */
  readonly steps: number;
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

/** Options that need no session. Without one, the requests have no skills. */
export type WithoutSession<Options extends Pick<RunOptions, "session">> = Omit<Options, "session"> &
  Partial<Pick<Options, "session">>;

export interface ModelLoopOptions<Item, Answer> extends WithoutSession<RunOptions> {
  readonly api: ModelApi<Item, Answer>;
  /** The conversation, with the user's new message last. */
  readonly items: readonly Item[];
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
 * declare function post(request: ModelRequest<Item>): Promise<ModelReply<Item, string>>;
 *
 * const { text, added } = await runModelLoop<Item, string>({
 *   session,
 *   items: [{ role: "user", content: "Hi." }],
 *   api: {
 *     shape: {
 *       read: ({ role, content }) => ({ role, text: content }),
 *       mapText: (item, change) => ({ ...item, content: change(item.content) }),
 *       replaceText: (item, texts) => ({ ...item, content: texts.join("\n\n") }),
 *       write: (content) => ({ role: "user", content }),
 *     },
 *     send: post,
 *     toResults: (results) => results.map(({ text: content }) => ({ role: "tool", content })),
 *   },
 * });
 * ```
 */
export async function runModelLoop<Item, Answer>({
  api,
  items,
  ...options
}: ModelLoopOptions<Item, Answer>): Promise<ModelRun<Item, Answer>> {
  const { session, signal } = options;
  const maxSteps = checkMaxSteps(options.maxSteps);
  const { tools = [], stopWhen } = options;
  /** Throws if one of the host's tools has the name of another, or of one of ours. */
  const offer = (ours: readonly ModelTool[] = []): readonly ModelTool[] =>
    toModelTools(session, typeof tools === "function" ? tools() : tools, { taken: ours.map(({ name }) => name) });
  const { shape } = api;
  /** All of the host's functions so far: the conversation has the results of earlier ones too. */
  const taken = new Set(offer().map(({ name }) => name));
  const turn = await openNativeTurn(session, items, { ...options, taken: [...taken] }, shape);
  const { instructions, invocations } = turn;
  const before = [api.instructions ?? "", instructions];
  const sending = signal === undefined ? {} : { signal };
  const takesFile = options.files === false ? undefined : api.takesFile;
  const run = async ({ name, input }: FunctionCall): Promise<OperationResult> => {
    const found = [...offer(), ...turn.tools].find((one) => one.name === name && one.isAvailable());
    if (found === undefined) return refuse(missingFunction(name));
    const given = parse(input);
    return given === undefined
      ? refuse("The arguments are not JSON.")
      : found.execute(given.value, { ...sending, takesFile });
  };
  const added: Item[] = [];
  /** The texts of paused answers, which the next answer continues. */
  let paused: readonly string[] = [];
  /** The items to send. Once they are shortened, new items are appended to the shortened list. */
  let sent: readonly Item[] = turn.messages;
  const add = (...more: readonly Item[]): void => {
    added.push(...more);
    sent = [...sent, ...more];
  };
  try {
    for (let step = 1; ; step++) {
      const { compact } = options;
      if (compact) sent = await compactRequest(session, sent, { texts: before, invocations }, compact, shape);
      for (const { name } of offer()) taken.add(name);
      const next = await turn.step(sent, { ...sending, taken: [...taken] });
      const reply = await api.send({
        instructions,
        items: next.messages,
        // A function may return a name now that was free when the turn named its tools.
        tools: [...offer(next.tools), ...next.tools],
      });
      const { answer, finish, calls } = reply;
      const text = [...paused, reply.text].filter((part) => part !== "").join("\n\n");
      paused = finish === "paused" && calls.length === 0 ? [...paused, reply.text] : [];
      const end = (reason: RunFinish) => ({
        answer,
        text,
        added,
        finish: reason,
        isDone: reason === "stop",
        steps: step,
      });
      add(...reply.added);
      if (calls.length === 0 && finish !== "paused") return end(finish);
      const isWhole = finish === "stop" || finish === "paused";
      if (calls.length > 0) {
        // Also when the calls are not run: APIs reject a conversation in which a call has no result.
        const results = calls.map(async (call) => ({ ...call, ...(await (isWhole ? run(call) : refuse(NOT_DONE))) }));
        add(...api.toResults(await Promise.all(results)));
      }
      signal?.throwIfAborted();
      if (!isWhole) return end(finish);
      if (stopWhen?.()) return end("stop");
      if (step >= maxSteps) return end("steps");
    }
  } catch (error) {
    throw new RunError(error, added);
  }
}

/** A call in a cut answer may lack half of its arguments and still be valid JSON, so it is not run. */
const NOT_DONE = "This call was not run, because the answer was cut off.";

function refuse(reason: string): Promise<OperationResult> {
  return settle(() => Promise.reject(new Error(reason)));
}

function parse(input: string): { readonly value: unknown } | undefined {
  try {
    return { value: input.trim() === "" ? {} : JSON.parse(input) };
  } catch {
    return undefined;
  }
}
