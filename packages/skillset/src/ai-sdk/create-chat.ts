import type { generateText, ModelMessage, streamText, ToolSet } from "ai";
import { ADAPTER_OPTIONS, checkCall, checkOptions, type OptionTable } from "../adapter/index.ts";
import { type Session, type SessionOptions, SkillError, type Skillset } from "../index.ts";
import { REQUEST_TOOLS } from "./guard-tools.ts";
import { systemPromptOf } from "./instructions.ts";
import { loadAi } from "./load-ai.ts";
import { type SkillTools, type WithSkillsOptions, type WithSkillsRequest, withSkills } from "./with-skills.ts";

/** Settings of `generateText` and `streamText`. */
export interface CreateChatRequest<Tools extends ToolSet>
  extends Omit<WithSkillsRequest<Tools>, "messages">,
    Omit<Settings, keyof WithSkillsRequest<Tools> | "prompt" | "abortSignal"> {
  /**
   * The messages of an earlier conversation.
   * @default []
   */
  readonly messages?: readonly ModelMessage[];
}

type Settings = Parameters<typeof generateText<ToolSet>>[0];

export interface CreateChatOptions<Tools extends ToolSet>
  extends Omit<WithSkillsOptions<Tools>, "session" | "request" | "signal"> {
  readonly skills: Skillset;
  /** The settings of every request: `model` is required, any other setting is optional. */
  readonly request: CreateChatRequest<Tools>;
  /** Options for the session, such as its id, store and limits. */
  readonly session?: SessionOptions;
}

/** A conversation with a model that can use skills. It keeps the messages and the active skills. */
export interface Chat<Tools extends ToolSet> {
  /** All messages that were sent and received, in the AI SDK's format. */
  readonly messages: readonly ModelMessage[];
  readonly session: Session;
  /** Sends a message and waits for the answer. An error leaves the conversation unchanged. */
  send(text: string, options?: SendOptions): Promise<Answer<Tools>>;
  /** Sends a message and streams the answer. The answer is added to the conversation when the stream ends. */
  stream(text: string, options?: SendOptions): Promise<AnswerStream<Tools>>;
}

export interface SendOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

type Answer<Tools extends ToolSet> = Awaited<ReturnType<typeof generateText<Tools & SkillTools>>>;
type AnswerStream<Tools extends ToolSet> = ReturnType<typeof streamText<Tools & SkillTools>>;

/**
 * Starts a conversation with an AI SDK model that can use the skills.
 *
 * @example
 * ```ts
 * import type { LanguageModel } from "ai";
 * import { createSkillset } from "skillset";
 * import { createChat } from "skillset/ai-sdk";
 *
 * declare const model: LanguageModel;
 * const skills = await createSkillset(["./skills"]);
 * const chat = await createChat({ skills, request: { model, temperature: 0 } });
 * const { text } = await chat.send("Fill in the form.");
 * console.log(text);
 * ```
 */
export async function createChat<Tools extends ToolSet = Record<never, never>>(
  call: CreateChatOptions<Tools>,
): Promise<Chat<Tools>> {
  checkCall("createChat", call, ["skills", "request"], CHECKS);
  const { skills, request: settings, session: sessionOptions, ...options } = call;
  const { messages: earlier = [], instructions: _, system: _system, ...others } = settings;
  const { tools, activeTools, prepareStep, stopWhen, ...rest } = others;
  const instructions = systemPromptOf(settings);
  if (rest.model == null)
    throw new SkillError("option-invalid", "createChat() needs a model of the AI SDK: set 'request.model'.");
  const ai = await loadAi();
  const session = await skills.session(sessionOptions);
  const messages = [...earlier];
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one message at a time: each request needs the previous answer. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const prepare = async (call: "send()" | "stream()", text: string, given: SendOptions) => {
    checkOptions(call, given, { signal: true }, { abortSignal: "Use 'signal'." });
    const { signal } = given;
    if (typeof text !== "string")
      throw new SkillError("option-invalid", `A chat takes the user's message as a text, not ${typeof text}.`);
    signal?.throwIfAborted();
    const asked: ModelMessage[] = [...messages, { role: "user", content: text }];
    const own = { instructions, tools, activeTools, prepareStep, stopWhen };
    const merged = { ...own, messages: asked } as WithSkillsRequest<Tools>;
    const sending = { ...options, session, request: merged, ...(signal && { signal }) };
    const { invoked: _invoked, ...request } = await withSkills(sending);
    return { asked, request: { ...rest, abortSignal: signal, ...request } as never };
  };
  const keep = (asked: readonly ModelMessage[], answered: readonly ModelMessage[]): void => {
    messages.splice(0, messages.length, ...asked, ...answered);
  };

  return {
    session,
    get messages() {
      return [...messages];
    },
    send: (text, sending = {}) =>
      inTurn(async () => {
        const { asked, request } = await prepare("send()", text, sending);
        const result = await ai.generateText(request);
        keep(asked, result.responseMessages);
        return result as never;
      }),
    stream: (text, sending = {}) =>
      new Promise((resolve, reject) => {
        void inTurn(async () => {
          const { asked, request } = await prepare("stream()", text, sending);
          const result = ai.streamText(request);
          resolve(result as never);
          // The caller receives the stream's errors. Here, an error only leaves the conversation unchanged.
          const answered = await Promise.resolve(result.responseMessages).catch(() => undefined);
          if (answered !== undefined) keep(asked, answered);
        }).catch(reject);
      }),
  };
}

// Each message has its own signal.
const { signal: _signal, ...SHARED } = ADAPTER_OPTIONS;
const OPTIONS: OptionTable<CreateChatOptions<ToolSet>> = {
  ...SHARED,
  skills: true,
  request: true,
  maxSteps: true,
  compact: true,
};
const CHECKS = {
  options: OPTIONS,
  earlier: "messages",
  tools: REQUEST_TOOLS,
  refused: {
    prompt: "The user's messages go into 'send()' and 'stream()'.",
    abortSignal: "Pass a 'signal' to 'send()' or 'stream()'.",
  },
};
