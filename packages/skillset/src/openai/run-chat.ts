import type { OpenAI } from "openai";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { Session } from "../core/session.ts";
import { type ModelRun, type RunOptions, runModelLoop } from "../tools/model-loop.ts";
import { contentText, replaceContent, withoutParsed } from "./content.ts";

/** How a run over the Chat Completions API ended; `answer` is the model's last one. */
export interface ChatRun extends ModelRun<ChatCompletionMessageParam, ChatCompletion> {
  readonly text: string;
}

type Params = Omit<ChatCompletionCreateParamsNonStreaming, "messages" | "tools" | "stream"> &
  RunOptions & {
    readonly messages: readonly ChatCompletionMessageParam[];
    /** Streams, and tells each chunk. */
    readonly onEvent?: (chunk: ChatCompletionChunk) => void;
  };

/** Runs a conversation with the Chat Completions API, or an endpoint like it, with the session's skills. */
export async function runChat(client: OpenAI, session: Session, params: Params): Promise<ChatRun> {
  const { messages, tools: _tools, catalog, mode, inject, operations, maxSteps, signal, onEvent, ...body } = params;
  const run = await runModelLoop<ChatCompletionMessageParam, ChatCompletion>(session, messages, params, {
    isUser: ({ role }) => role === "user",
    textOf: ({ content }) => contentText(content),
    replaceText: (message, texts) =>
      ({ ...message, content: replaceContent(message.content, texts, "text") }) as ChatCompletionMessageParam,
    send: async ({ texts, items, tools }) => {
      const answer = await send(client, onEvent, signal, {
        ...body,
        messages: withSystem(items, texts),
        ...(tools.length > 0 && { tools: tools.map((one) => ({ type: "function" as const, function: one })) }),
      });
      const message = withoutParsed(answer.choices[0]?.message as ChatCompletionMessage);
      const calls = (message.tool_calls ?? [])
        .filter((call) => call.type === "function")
        .map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));
      return { answer, added: [message], calls };
    },
    toResult: ({ id }, content) => ({ role: "tool", tool_call_id: id, content }),
  });
  return { ...run, text: run.answer.choices[0]?.message.content ?? "" };
}

/** Into the one system message that there is: some endpoints take no second one. */
function withSystem(messages: readonly ChatCompletionMessageParam[], texts: readonly string[]) {
  const [first, ...rest] = messages;
  if (texts.length === 0) return [...messages];
  if (first?.role !== "system" && first?.role !== "developer")
    return [{ role: "system" as const, content: texts.join("\n\n") }, ...messages];
  return [{ ...first, content: [contentText(first.content), ...texts].join("\n\n") }, ...rest];
}

async function send(
  client: OpenAI,
  onEvent: Params["onEvent"],
  signal: AbortSignal | undefined,
  request: ChatCompletionCreateParamsNonStreaming,
): Promise<ChatCompletion> {
  const sending = signal && { signal };
  if (onEvent === undefined) return client.chat.completions.create(request, sending);
  const stream = client.chat.completions.stream(request as never, sending);
  for await (const chunk of stream) onEvent(chunk);
  return stream.finalChatCompletion();
}
