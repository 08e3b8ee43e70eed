import type {
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  MessageStreamEvent,
  Messages,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUnion,
} from "@anthropic-ai/sdk/resources/messages";
import {
  type CallResult,
  checkCall,
  contentText,
  fileName,
  fileText,
  isDocumentType,
  isImageType,
  type ModelApi,
  type ModelReply,
  type ModelRun,
  type OptionTable,
  type ResultFile,
  RUN_OPTIONS,
  type RunOptions,
  runModelLoop,
  toBase64,
  type WithoutSession,
} from "../adapter/index.ts";
import { checkCache, checkClient, checkRequest } from "./check-request.ts";
import { type CacheOption, markCache } from "./mark-cache.ts";
import { MESSAGE_SHAPE } from "./message-shape.ts";
import { streamMessage } from "./stream-message.ts";

/** The result of a run over the Messages API. */
export type MessagesRun = ModelRun<MessageParam, Message>;

/** The body of a request, as in the API reference. */
export interface MessagesRequest extends Omit<MessageCreateParamsNonStreaming, "messages" | "tools" | "stream"> {
  readonly messages: readonly MessageParam[];
  /**
   * Tools that Anthropic defines. The API runs some, such as `web_search`. Those that your program runs, such as `bash`,
   * need a tool with the same name in `tools`.
   */
  readonly tools?: readonly ToolUnion[];
}

export interface RunMessagesOptions extends RunOptions {
  /** `new Anthropic()`, or a client for Amazon Bedrock or Vertex AI. */
  readonly client: { readonly messages: Pick<Messages, "stream">; readonly withOptions: (options: never) => unknown };
  readonly request: MessagesRequest;
  /** Called with each event of the answers, and awaited. */
  readonly onEvent?: (event: MessageStreamEvent) => unknown;
  /**
   * Marks the prompt for the API's prompt cache, at the end of the system prompt and of the last message.
   * @default "5m"
   */
  readonly cache?: CacheOption;
}

/**
 * Runs a conversation over Anthropic's Messages API, with the session's skills, until the model answers.
 *
 * @example
 * ```ts
 * import { Anthropic } from "@anthropic-ai/sdk";
 * import { createSkillset } from "skillset";
 * import { runMessages } from "skillset/anthropic";
 *
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session();
 * const messages = [{ role: "user" as const, content: "Fill in the form." }];
 * const request = { model: "claude-sonnet-5-5", max_tokens: 4_096, messages };
 * const { text } = await runMessages({ client: new Anthropic(), session, request });
 * ```
 */
export async function runMessages(call: RunMessagesOptions): Promise<MessagesRun> {
  checkCall("runMessages", call, ["client", "session", "request"], CHECKS);
  return sendMessages(call);
}

/** Runs a conversation, with skills if it has a session. */
export async function sendMessages(call: WithoutSession<RunMessagesOptions>): Promise<MessagesRun> {
  const { client, request, tools } = call;
  const own = typeof tools === "function" ? tools() : (tools ?? []);
  checkRequest(
    request,
    own.map(({ name }) => name),
  );
  checkClient(client);
  checkCache(call.cache);
  const { messages, tools: defined = [], system, ...body } = request;
  const names = defined.map((tool) => ("name" in tool ? tool.name : ""));
  let { container } = body;
  const api: ModelApi<MessageParam, Message> = {
    shape: MESSAGE_SHAPE,
    ...(system && { instructions: contentText(system) }),
    send: async ({ instructions, items, tools }) => {
      const functions = tools
        .filter(({ name }) => !names.includes(name))
        .map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }) as ToolUnion);
      const all = [...defined, ...functions];
      const whole = withSystem(system, instructions);
      const sent = {
        ...body,
        ...(container && { container }),
        ...(whole !== undefined && { system: whole }),
        messages: [...items],
        ...(all.length > 0 && { tools: all }),
      };
      const answer = await streamMessage(call, markCache(sent, call.cache));
      // The next request runs code in the same container.
      const id = answer.container?.id;
      if (id !== undefined) container = container && typeof container === "object" ? { ...container, id } : id;
      return readAnswer(answer);
    },
    takesFile: isDocumentType,
    toResults: (results) => [{ role: "user", content: results.map(toBlock) }],
  };
  return runModelLoop({ ...call, api, items: messages });
}

/** The system prompt under its name elsewhere: some endpoints ignore it. */
export const MESSAGES_REFUSED = {
  instructions: "Use 'system'.",
};
const OPTIONS: OptionTable<RunMessagesOptions> = {
  ...RUN_OPTIONS,
  client: true,
  request: true,
  onEvent: true,
  cache: true,
};
export const MESSAGES_TOOLS = { isList: true };
const CHECKS = { options: OPTIONS, conversation: "messages", tools: MESSAGES_TOOLS, refused: MESSAGES_REFUSED };

function readAnswer(answer: Message): ModelReply<MessageParam, Message> {
  const { content, stop_reason: reason, stop_details: details } = answer;
  if (!Array.isArray(content)) {
    // Gateways report errors with status 200.
    const { error } = answer as { readonly error?: { readonly message?: string } };
    throw new Error(error?.message ?? "The API returned no answer: it has no content.");
  }
  const text = readText(content);
  return {
    answer,
    text: reason === "refusal" ? text || details?.explanation || "" : text,
    finish: FINISH[reason ?? "end_turn"] ?? "stop",
    // All blocks, in this order: thinking blocks are signed. The API rejects a message without blocks.
    added: content.length === 0 ? [] : [{ role: "assistant", content }],
    calls: content
      .filter((block) => block.type === "tool_use")
      .map(({ id, name, input }) => ({ id, name, input: JSON.stringify(input ?? {}) })),
  };
}

const FINISH: Partial<Readonly<Record<string, ModelReply<never, never>["finish"]>>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
  pause_turn: "paused",
};

/** Citations split a text into blocks. Texts before and after a tool's use are paragraphs. */
function readText(content: Message["content"]): string {
  return content
    .map((block, index) => {
      if (block.type !== "text") return "";
      const isNew = content[index - 1]?.type !== "text" && content.slice(0, index).some(({ type }) => type === "text");
      return isNew ? `\n\n${block.text}` : block.text;
    })
    .join("");
}

function toBlock({ id, text, isError, files = [] }: CallResult): ToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: files.length === 0 ? text : [{ type: "text", text }, ...files.map(toFileBlock)],
    ...(isError && { is_error: true }),
  };
}

/** The API takes images and PDFs as base64, and other documents as text. */
function toFileBlock(file: ResultFile): ImageBlockParam | DocumentBlockParam {
  const { mediaType } = file;
  if (isImageType(mediaType)) {
    const source = { type: "base64", media_type: mediaType, data: toBase64(file.data) };
    return { type: "image", source: source as ImageBlockParam["source"] };
  }
  const title = fileName(file);
  if (mediaType === "application/pdf")
    return { type: "document", title, source: { type: "base64", media_type: mediaType, data: toBase64(file.data) } };
  return { type: "document", title, source: { type: "text", media_type: "text/plain", data: fileText(file) } };
}

function withSystem(system: MessagesRequest["system"], ours: string): string | TextBlockParam[] | undefined {
  if (system === undefined || typeof system === "string")
    return [system, ours].filter(Boolean).join("\n\n") || undefined;
  return ours === "" ? system : [...system, { type: "text", text: ours }];
}
