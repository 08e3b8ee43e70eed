import type { OpenAI } from "openai";
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import type { Session } from "../core/session.ts";
import { type ModelRun, type RunOptions, runModelLoop } from "../tools/model-loop.ts";
import { contentText, replaceContent, withoutParsed } from "./content.ts";

/** How a run over the Responses API ended; `answer` is the model's last one. */
export interface ResponsesRun extends ModelRun<ResponseInputItem, Response> {
  readonly text: string;
}

type Params = Omit<ResponseCreateParamsNonStreaming, "input" | "tools" | "stream"> &
  RunOptions & {
    readonly input: string | readonly ResponseInputItem[];
    /** Streams, and tells each event. */
    readonly onEvent?: (event: ResponseStreamEvent) => void;
  };

/** Runs a conversation with the Responses API until the model has answered, with the session's skills. */
export async function runResponses(client: OpenAI, session: Session, params: Params): Promise<ResponsesRun> {
  const { input, tools: _tools, catalog, mode, inject, operations, maxSteps, signal, onEvent, ...body } = params;
  const items = typeof input === "string" ? [{ role: "user" as const, content: input }] : input;
  const run = await runModelLoop<ResponseInputItem, Response>(session, items, params, {
    isUser: (item) => "role" in item && item.role === "user",
    textOf: itemText,
    replaceText: (item, texts) =>
      ({
        ...item,
        content: replaceContent((item as { content: string }).content, texts, "input_text"),
      }) as ResponseInputItem,
    send: async ({ texts, items, tools }) => {
      const instructions = [body.instructions, ...texts].filter(Boolean).join("\n\n");
      const answer = await send(client, onEvent, signal, {
        ...body,
        ...(instructions !== "" && { instructions }),
        input: [...items],
        ...(tools.length > 0 && { tools: tools.map((one) => ({ type: "function" as const, strict: false, ...one })) }),
      });
      const calls = answer.output
        .filter((item) => item.type === "function_call")
        .map(({ call_id: id, name, arguments: given }) => ({ id, name, input: given }));
      return { answer, added: withoutParsed(answer.output) as ResponseInputItem[], calls };
    },
    toResult: ({ id }, output) => ({ type: "function_call_output", call_id: id, output }),
  });
  return { ...run, text: run.answer.output_text };
}

/** Everything that a model reads in an item. */
export function itemText(item: ResponseInputItem): string {
  if ("role" in item && "content" in item) return contentText(item.content);
  return item.type === "function_call_output" ? contentText(item.output) : "";
}

async function send(
  client: OpenAI,
  onEvent: Params["onEvent"],
  signal: AbortSignal | undefined,
  request: ResponseCreateParamsNonStreaming,
): Promise<Response> {
  const sending = signal && { signal };
  if (onEvent === undefined) return client.responses.create(request, sending);
  const stream = client.responses.stream(request as never, sending);
  for await (const event of stream) onEvent(event as ResponseStreamEvent);
  return (await stream.finalResponse()) as Response;
}
