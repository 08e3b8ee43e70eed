import type { OfferedTool } from "./find-tool.ts";
import { asObject, asObjects, asText, type JsonObject } from "./json.ts";
import type { ModelMessage, ToolResultView } from "./model-request.ts";
import { openaiError } from "./openai-error.ts";
import { responseEvents, sourceOfItem, wholeResponse } from "./openai-responses-answer.ts";
import { contentText, joinTexts, type PastTurn, type Wire, type WireReading } from "./wire.ts";

/** OpenAI's Responses API: `POST /v1/responses`. */
export const openaiResponses: Wire = {
  name: "openai-responses",
  prefixes: { answer: "resp_", call: "call_" },
  required: "input",
  read,
  whole: wholeResponse,
  events: responseEvents,
  error: openaiError,
};

function read(body: JsonObject): WireReading {
  const system = [asText(body.instructions)];
  const messages: ModelMessage[] = [];
  const toolResults: ToolResultView[] = [];
  // A client that leaves the history to the server names the answer that it continues from.
  const turns: PastTurn[] = [{ ids: [asText(body.previous_response_id)] }];
  const tools = toolsOf(body.tools);
  const names = new Map<string, string>();
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : asObjects(body.input);
  for (const item of items as readonly JsonObject[]) {
    const text = contentText(item.content);
    const id = asText(item.call_id);
    switch (item.type ?? "message") {
      case "message":
        if (item.role === "system" || item.role === "developer") system.push(text);
        else if (text !== "") messages.push({ role: item.role === "assistant" ? "assistant" : "user", text });
        if (item.role === "assistant") turns.push({ text, ids: [sourceOfItem(asText(item.id))] });
        break;
      case "item_reference":
        turns.push({ ids: [sourceOfItem(asText(item.id))] });
        break;
      case "function_call":
      case "custom_tool_call":
        names.set(id, qualified(asText(item.name), item.namespace));
        turns.push({ ids: [id] });
        break;
      case "function_call_output":
      case "custom_tool_call_output": {
        const name = names.get(id);
        toolResults.push({ id, ...(name ? { name } : {}), text: contentText(item.output), isError: false });
        turns.push({ ids: [id] });
        break;
      }
      case "additional_tools":
        tools.push(...toolsOf(item.tools));
        break;
    }
  }
  const schema = schemaOf(asObject(asObject(body.text).format));
  return { system: joinTexts(system), tools, messages, toolResults, turns, schema };
}

function toolsOf(value: unknown): OfferedTool[] {
  return asObjects(value).flatMap((tool): OfferedTool[] => {
    if (tool.type === "namespace") {
      const namespace = asText(tool.name);
      return toolsOf(tool.tools).map((inner) => ({ ...inner, name: qualified(inner.name, namespace), namespace }));
    }
    // Tools that the vendor runs, such as web_search, have no name and cannot be called.
    const name = asText(tool.name);
    if (name === "") return [];
    return [{ name, wireName: name, ...(tool.type === "custom" ? { freeform: true } : {}) }];
  });
}

function qualified(name: string, namespace: unknown): string {
  return asText(namespace) === "" ? name : `${asText(namespace).replace(/_+$/, "")}__${name}`;
}

function schemaOf(format: JsonObject): JsonObject | undefined {
  if (format.type === "json_schema") return asObject(format.schema);
  return format.type === "json_object" ? {} : undefined;
}
