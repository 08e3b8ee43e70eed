import type { OpenAI } from "openai";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import {
  contentText,
  type HostedTool,
  type ModelReply,
  type ModelRun,
  type RunOptions,
  runModelLoop,
} from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { checkBody } from "./check-body.ts";
import { CHAT_SHAPE } from "./message-shapes.ts";
import { withoutParsed } from "./without-parsed.ts";

/** The result of a run over the Chat Completions API. */
export type ChatRun = ModelRun<ChatCompletionMessageParam, ChatCompletion>;

/** The body of a request, as in the API reference. */
export interface ChatBody extends Omit<ChatCompletionCreateParamsNonStreaming, "messages" | "tools" | "stream"> {
  readonly messages: readonly ChatCompletionMessageParam[];
}

export interface RunChatOptions extends RunOptions<HostedTool> {
  /** Streams the answers. Called with each chunk. */
  readonly onEvent?: (chunk: ChatCompletionChunk) => void;
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
 * const { text } = await runChat(new OpenAI(), session, { model: "gpt-5", messages });
 * ```
 */
export async function runChat(
  client: OpenAI,
  session: Session,
  body: ChatBody,
  options: RunChatOptions = {},
): Promise<ChatRun> {
  checkBody(body);
  const { signal, onEvent } = options;
  return runModelLoop<ChatCompletionMessageParam, ChatCompletion, HostedTool>(session, body.messages, options, {
    shape: CHAT_SHAPE,
    send: async ({ instructions, items, tools, hosted }) => {
      const functions = tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters },
      }));
      const all = [...(hosted as unknown as typeof functions), ...functions];
      const request = { ...body, messages: withSystem(items, instructions), ...(all.length > 0 && { tools: all }) };
      return readAnswer(await send(client, onEvent, signal, request));
    },
    toResult: ({ id }, content) => ({ role: "tool", tool_call_id: id, content }),
  });
}

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
  for await (const chunk of stream) onEvent(chunk);
  return stream.finalChatCompletion();
}
