import type { OpenAI } from "openai";
import type {
  Tool as ApiTool,
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import { type ModelReply, type ModelRun, type RunOptions, runModelLoop } from "../adapter/index.ts";
import type { Session } from "../index.ts";
import { checkBody } from "./check-body.ts";
import { RESPONSE_SHAPE } from "./message-shapes.ts";
import { withoutParsed } from "./without-parsed.ts";

/** The result of a run over the Responses API. */
export type ResponsesRun = ModelRun<ResponseInputItem, Response>;

/** A tool that the API runs, such as `web_search`. */
type Hosted = Exclude<ApiTool, { type: "function" | "custom" }>;

/** The body of a request, as in the API reference. */
export interface ResponsesBody extends Omit<ResponseCreateParamsNonStreaming, "input" | "tools" | "stream"> {
  readonly input: string | readonly ResponseInputItem[];
}

export interface RunResponsesOptions extends RunOptions<Hosted> {
  /** Streams the answers. Called with each event. */
  readonly onEvent?: (event: ResponseStreamEvent) => void;
}

/**
 * Runs a conversation over the Responses API, with the session's skills, until the model answers.
 *
 * @example
 * ```ts
 * import { OpenAI } from "openai";
 * import { createSkillset } from "skillset";
 * import { runResponses } from "skillset/openai";
 *
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session();
 * const { text } = await runResponses(new OpenAI(), session, { model: "gpt-5", input: "Fill in the form." });
 * ```
 */
export async function runResponses(
  client: OpenAI,
  session: Session,
  body: ResponsesBody,
  options: RunResponsesOptions = {},
): Promise<ResponsesRun> {
  checkBody(body);
  const { signal, onEvent } = options;
  const items = typeof body.input === "string" ? [{ role: "user" as const, content: body.input }] : body.input;
  return runModelLoop<ResponseInputItem, Response, Hosted>(session, items, options, {
    shape: RESPONSE_SHAPE,
    ...(body.instructions && { instructions: body.instructions }),
    send: async ({ instructions: ours, items, tools, hosted }) => {
      const instructions = [body.instructions, ours].filter(Boolean).join("\n\n");
      const functions = tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function" as const,
        strict: false,
        name,
        description,
        parameters: { ...parameters },
      }));
      const all = [...hosted, ...functions];
      const answer = await send(client, onEvent, signal, {
        ...body,
        ...(instructions !== "" && { instructions }),
        input: [...items],
        ...(all.length > 0 && { tools: all }),
      });
      return readAnswer(answer);
    },
    toResult: ({ id }, output) => ({ type: "function_call_output", call_id: id, output }),
  });
}

function readAnswer(answer: Response): ModelReply<ResponseInputItem, Response> {
  const { status = "completed", error, output } = answer;
  if (status !== "completed" && status !== "incomplete")
    throw new Error(error?.message ?? `The API returned no answer: the response is '${status}'.`);
  const refusals = output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .flatMap((part) => (part.type === "refusal" ? [part.refusal] : []));
  const isRefused = refusals.length > 0 || answer.incomplete_details?.reason === "content_filter";
  return {
    answer,
    text: answer.output_text || refusals.join("\n"),
    finish: isRefused ? "refused" : status === "incomplete" ? "length" : "stop",
    added: withoutParsed(output) as ResponseInputItem[],
    calls: output
      .filter((item) => item.type === "function_call")
      .map(({ call_id: id, name, arguments: given }) => ({ id, name, input: given })),
  };
}

async function send(
  client: OpenAI,
  onEvent: RunResponsesOptions["onEvent"],
  signal: AbortSignal | undefined,
  request: ResponseCreateParamsNonStreaming,
): Promise<Response> {
  const sending = signal && { signal };
  if (onEvent === undefined) return client.responses.create(request, sending);
  const stream = client.responses.stream(request as never, sending);
  for await (const event of stream) onEvent(event as ResponseStreamEvent);
  return (await stream.finalResponse()) as Response;
}
