import type { OpenAI } from "openai";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import {
  checkCall,
  contentText,
  type ModelApi,
  type ModelReply,
  type ModelRun,
  type OptionTable,
  RUN_OPTIONS,
  type RunOptions,
  runModelLoop,
  type WithoutSession,
} from "../adapter/index.ts";
import { checkClient, checkRequest } from "./check-request.ts";
import { takesChatFile, toFilesMessage } from "./file-parts.ts";
import { CHAT_SHAPE } from "./message-shapes.ts";
import { withoutParsed } from "./without-parsed.ts";

/** The result of a run over the Chat Completions API. */
export type ChatRun = ModelRun<ChatCompletionMessageParam, ChatCompletion>;

/** A tool that the endpoint runs, such as a search. It is passed on unchanged. */
export interface HostedTool {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** The body of a request, as in the API reference. */
export interface ChatRequest extends Omit<ChatCompletionCreateParamsNonStreaming, "messages" | "tools" | "stream"> {
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Tools that the endpoint runs, in its format. */
  readonly tools?: readonly HostedTool[];
}

export interface RunChatOptions extends RunOptions {
  readonly client: OpenAI;
  readonly request: ChatRequest;
  /** Streams the answers. Called with each chunk, and awaited. */
  readonly onEvent?: (chunk: ChatCompletionChunk) => unknown;
}

/**
 * Runs a conversation over the Chat Completions API, or a compatible endpoint, with the session's skills.
 *
 * @example
 * ```ts
 * import { OpenAI } from "openai";
 * import { createSkillset } from "skillset";
 * import { runChat } from "skillset/openai";
 *
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session();
 * const messages = [{ role: "user" as const, content: "Fill in the form." }];
 * const client = new OpenAI();
 * const { text } = await runChat({ client, session, request: { model: "gpt-5", messages } });
 * ```
 */
export async function runChat(call: RunChatOptions): Promise<ChatRun> {
  checkCall("runChat", call, ["client", "session", "request"], CHECKS);
  return sendChat(call);
}

/** Runs a conversation, with skills if it has a session. */
export async function sendChat(call: WithoutSession<RunChatOptions>): Promise<ChatRun> {
  const { client, request, onEvent, ...options } = call;
  checkRequest(request);
  checkClient(client, ["chat.completions.create", "chat.completions.stream"]);
  const { tools: hosted = [], messages, ...body } = request;
  const api: ModelApi<ChatCompletionMessageParam, ChatCompletion> = {
    shape: CHAT_SHAPE,
    send: async ({ instructions, items, tools }) => {
      const functions = tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters },
      }));
      const all = [...(hosted as unknown as typeof functions), ...functions];
      const sent = { ...body, messages: withSystem(items, instructions), ...(all.length > 0 && { tools: all }) };
      return readAnswer(await send(client, onEvent, options.signal, sent));
    },
    takesFile: takesChatFile,
    toResults: (results) => {
      const files = results.flatMap((result) => result.files ?? []);
      return [
        ...results.map(({ id, text }) => ({ role: "tool" as const, tool_call_id: id, content: text })),
        ...(files.length > 0 ? [toFilesMessage(files)] : []),
      ];
    },
  };
  return runModelLoop({ ...options, api, items: messages });
}

/** The system prompt under its name elsewhere: some endpoints ignore it. */
export const CHAT_REFUSED = {
  system: "Put it first into 'messages', as a message with the role 'system'.",
  instructions: "Put them first into 'messages', as a message with the role 'system'.",
};
const OPTIONS: OptionTable<RunChatOptions> = { ...RUN_OPTIONS, client: true, request: true, onEvent: true };
export const CHAT_TOOLS = { isList: true };
const CHECKS = { options: OPTIONS, conversation: "messages", tools: CHAT_TOOLS, refused: CHAT_REFUSED };

function readAnswer(answer: ChatCompletion): ModelReply<ChatCompletionMessageParam, ChatCompletion> {
  const choice = answer.choices?.[0];
  if (choice === undefined) {
    // Gateways report errors with status 200.
    const { error } = answer as { readonly error?: { readonly message?: string } };
    throw new Error(error?.message ?? "The API returned no answer: its list of choices is empty.");
  }
  const message = withoutParsed(choice.message);
  const isRefused = Boolean(message.refusal) || choice.finish_reason === "content_filter";
  return {
    answer,
    text: message.content || message.refusal || "",
    finish: isRefused ? "refused" : choice.finish_reason === "length" ? "length" : "stop",
    added: [message],
    calls: (message.tool_calls ?? [])
      .filter((call) => call.type === "function")
      .map(({ id, function: { name, arguments: input } }) => ({ id, name, input })),
  };
}

/** Appends to the existing system message, because some endpoints reject a second one. */
function withSystem(messages: readonly ChatCompletionMessageParam[], instructions: string) {
  const [first, ...rest] = messages;
  if (instructions === "") return [...messages];
  if (first?.role !== "system" && first?.role !== "developer")
    return [{ role: "system" as const, content: instructions }, ...messages];
  return [{ ...first, content: `${contentText(first.content)}\n\n${instructions}` }, ...rest];
}

async function send(
  client: OpenAI,
  onEvent: RunChatOptions["onEvent"],
  signal: AbortSignal | undefined,
  request: ChatCompletionCreateParamsNonStreaming,
): Promise<ChatCompletion> {
  const sending = signal && { signal };
  if (onEvent === undefined) return client.chat.completions.create(request, sending);
  const stream = client.chat.completions.stream(request as never, sending);
  for await (const chunk of stream) await onEvent(chunk);
  return stream.finalChatCompletion();
}
