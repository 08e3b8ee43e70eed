import { asObject, asObjects, asText, isObject, type JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView } from "./model-request.ts";
import {
  type Answer,
  contentText,
  inputObject,
  type PastTurn,
  pieces,
  type ServerSentEvent,
  type Wire,
  type WireReading,
} from "./wire.ts";

/** Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const geminiGenerate: Wire = {
  name: "gemini-generate",
  prefixes: { answer: "", call: "call_" },
  required: "contents",
  read,
  whole: (answer) => chunk(answer, [...textParts([answer.text]), ...callParts(answer)], finishReason(answer)),
  events,
  error: (status, message) => ({
    error: { code: status, message, status: STATUS_NAMES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL") },
  }),
  tokens: (count) => ({ totalTokens: count, promptTokensDetails: [{ modality: "TEXT", tokenCount: count }] }),
};

function read(body: JsonObject): WireReading {
  const messages: ModelMessage[] = [];
  const toolResults: ToolResultView[] = [];
  const turns: PastTurn[] = [];
  for (const { role, parts } of asObjects(body.contents)) {
    const spoken = asObjects(parts).filter(({ thought }) => thought !== true);
    const text = contentText(spoken);
    if (text !== "") messages.push({ role: role === "model" ? "assistant" : "user", text });
    if (role === "model") {
      const calls = spoken.map(({ functionCall }) => functionCall).filter(isObject);
      const ids = calls.map(({ id }) => asText(id)).filter((id) => id !== "");
      const unnamed = calls.filter(({ id }) => asText(id) === "");
      turns.push({ text, ids, calls: unnamed.map(({ name, args }) => ({ name: asText(name), input: args ?? {} })) });
    }
    const results = spoken.map(({ functionResponse }) => functionResponse).filter(isObject);
    toolResults.push(...results.map(toolResult));
  }
  const schema = schemaOf(asObject(body.generationConfig));
  return {
    system: contentText(asObject(body.systemInstruction ?? body.system_instruction).parts),
    tools: asObjects(body.tools)
      .flatMap(({ functionDeclarations }) => asObjects(functionDeclarations))
      .map(({ name }) => ({ name: asText(name), wireName: asText(name) })),
    messages,
    toolResults,
    turns,
    schema,
  };
}

/** A result is any object: clients put text into `output` or `result`, an error into `error`, or send an MCP result. */
function toolResult(block: JsonObject): ToolResultView {
  const response = asObject(block.response);
  const { output, error, result, content } = response;
  const told = [output, error, result, contentText(content)].find((text) => typeof text === "string" && text !== "");
  return {
    id: asText(block.id),
    name: asText(block.name),
    text: told === undefined ? JSON.stringify(response) : String(told),
    isError: (error !== undefined && error !== null) || response.isError === true,
  };
}

function schemaOf(config: JsonObject): JsonObject | undefined {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  if (schema !== undefined) return asObject(schema);
  return config.responseMimeType === "application/json" ? {} : undefined;
}

function events(answer: Answer): readonly ServerSentEvent[] {
  const parts = [...textParts(pieces(answer.text)), ...callParts(answer)];
  const last = parts.length - 1;
  const chunks = parts.map((part, index) => chunk(answer, [part], index === last ? finishReason(answer) : undefined));
  return (chunks.length > 0 ? chunks : [chunk(answer, [], finishReason(answer))]).map((data) => ({ data }));
}

function finishReason({ finish }: Answer): string {
  if (finish === undefined) return "STOP";
  return finish === "length" ? "MAX_TOKENS" : "SAFETY";
}

function textParts(texts: readonly string[]): readonly JsonObject[] {
  return texts.filter((text) => text !== "").map((text) => ({ text }));
}

function callParts({ calls }: Answer): readonly JsonObject[] {
  return calls.map((call) => ({ functionCall: { id: call.id, name: call.tool.wireName, args: inputObject(call) } }));
}

function chunk(answer: Answer, parts: readonly JsonObject[], finishReason?: string): JsonObject {
  const { input, output } = answer.usage;
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, finishReason }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
    },
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};
