import { convertToModelMessages, getToolName, isToolUIPart, jsonSchema, type ModelMessage, type Tool } from "ai";
import type { OperationResult } from "skillset";
import type { ChatMessage } from "../../shared/api.ts";
import { BY_USER, type ChatPart, skillOutputOf, withOutput } from "./skill-outputs.ts";

export interface RequestOptions {
  /** The skills that are active now; the instructions of others are not sent again. */
  readonly active: readonly string[];
  /** Whether the model knows what a tool call is. */
  readonly hasTools: boolean;
}

/** A chat as a model is given it: filled messages in, each skill's instructions at most once out. */
export function toRequestMessages(messages: readonly ChatMessage[], options: RequestOptions): Promise<ModelMessage[]> {
  const given = new Set<unknown>();
  const tools: Record<string, Tool> = {};
  const toRequestPart = (part: ChatPart): ChatPart[] => {
    if (!isToolUIPart(part)) return [part];
    // What a person invoked stands in that person's message.
    if (!options.hasTools || part.toolCallId.startsWith(BY_USER)) return [];
    tools[getToolName(part)] = RESULT_AS_TEXT;
    const output = skillOutputOf(part);
    if (output?.kind !== "activation" || output.data.alreadyActive === true) return [part];
    const { name } = output.data;
    const isActive = options.active.includes(String(name));
    if (isActive && !given.has(name)) {
      given.add(name);
      return [part];
    }
    const text = isActive
      ? `The instructions of '${name}' stand further up.`
      : `The skill '${name}' is no longer active: its instructions are not part of this conversation any more.`;
    return [withOutput(part, { isError: false, text, data: {} })];
  };
  const parts = messages.map((message) => ({ ...message, parts: message.parts.flatMap(toRequestPart) }));
  const spoken = parts.filter((message) => message.role !== "assistant" || message.parts.length > 0);
  return convertToModelMessages(spoken, { tools, ignoreIncompleteToolCalls: true });
}

const RESULT_AS_TEXT: Tool = {
  inputSchema: jsonSchema({ type: "object" }),
  toModelOutput: ({ output }) => {
    const { isError, text } = output as OperationResult;
    return { type: isError ? "error-text" : "text", value: text };
  },
};
