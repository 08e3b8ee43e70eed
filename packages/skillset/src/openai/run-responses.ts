import type { OpenAI } from "openai";
import type {
  Tool as ApiTool,
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import {
  type CallResult,
  checkCall,
  type ModelApi,
  type ModelReply,
  type ModelRun,
  type OptionTable,
  RUN_OPTIONS,
  type RunOptions,
  runModelLoop,
} from "../adapter/index.ts";
import { checkClient, checkRequest } from "./check-request.ts";
import { takesResponseFile, toResponsePart } from "./file-parts.ts";
import { RESPONSE_SHAPE } from "./message-shapes.ts";
import { withoutParsed } from "./without-parsed.ts";

/** The result of a run over the Responses API. */
export type ResponsesRun = ModelRun<ResponseInputItem, Response>;

/** A tool that the API runs, such as `web_search`. */
type Hosted = Exclude<ApiTool, { type: "function" | "custom" }>;

/** The body of a request, as in the API reference. */
export interface ResponsesRequest extends Omit<ResponseCreateParamsNonStreaming, "input" | "tools" | "stream"> {
  readonly input: string | readonly ResponseInputItem[];
  /** Tools that the API runs, such as `{ type: "web_search" }`. */
  readonly tools?: readonly Hosted[];
}

export interface RunResponsesOptions extends RunOptions {
  readonly client: OpenAI;
  readonly request: ResponsesRequest;
  /** Streams the answers. Called with each event, and awaited. */
  readonly onEvent?: (event: ResponseStreamEvent) => unknown;
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
 * const client = new OpenAI();
 * const { text } = await runResponses({ client, session, request: { model: "gpt-5", input: "Fill in the form." } });
 * ```
 */
export async function runResponses(call: RunResponsesOptions): Promise<ResponsesRun> {
  checkCall("runResponses", call, ["client", "session", "request"], CHECKS);
  const { client, request, onEvent, ...options } = call;
  checkRequest(request);
  checkClient(client, ["responses.create", "responses.stream"]);
  const { tools: hosted = [], input, instructions: own, ...body } = request;
  const api: ModelApi<ResponseInputItem, Response> = {
    shape: RESPONSE_SHAPE,
    ...(own && { instructions: own }),
    send: async ({ instructions: ours, items, tools }) => {
      const instructions = [own, ours].filter(Boolean).join("\n\n");
      const functions = tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function" as const,
        strict: false,
        name,
        description,
        parameters: { ...parameters },
      }));
      const all = [...hosted, ...functions];
      const answer = await send(client, onEvent, options.signal, {
        ...body,
        ...(instructions !== "" && { instructions }),
        input: [...items],
        ...(all.length > 0 && { tools: all }),
      });
      return readAnswer(answer);
    },
    takesFile: takesResponseFile,
    toResults: (results) => results.map(toOutput),
  };
  const items = typeof input === "string" ? [{ role: "user" as const, content: input }] : input;
  return runModelLoop({ ...options, api, items });
}

/** A string without files, because endpoints that copy the API may accept nothing else. */
function toOutput({ id, text, files = [] }: CallResult): ResponseInputItem {
  const output = files.length === 0 ? text : [{ type: "input_text" as const, text }, ...files.map(toResponsePart)];
  return { type: "function_call_output", call_id: id, output };
}

/** The system prompt under its name elsewhere: some endpoints ignore it. */
const REFUSED = {
  system: "Use 'instructions'.",
};
const OPTIONS: OptionTable<RunResponsesOptions> = { ...RUN_OPTIONS, client: true, request: true, onEvent: true };
const CHECKS = { options: OPTIONS, conversation: "input", tools: { isList: true }, refused: REFUSED };

function readAnswer(answer: Response): ModelReply<ResponseInputItem, Response> {
  const { status = "completed", error, output } = answer;
  if (status !== "completed" && status !== "incomplete")
    throw new Error(error?.message ?? `The API returned no answer: the response is '${status}'.`);
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  // Not `output_text`: streamed answers of older versions lack it.
  const text = parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
  const refusals = parts.flatMap((part) => (part.type === "refusal" ? [part.refusal] : []));
  const isRefused = refusals.length > 0 || answer.incomplete_details?.reason === "content_filter";
  return {
    answer,
    text: text || refusals.join("\n"),
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
  for await (const event of stream) await onEvent(event as ResponseStreamEvent);
  return (await stream.finalResponse()) as Response;
}
