import { convertToModelMessages, getToolName, isToolUIPart, jsonSchema, type ModelMessage, type Tool } from "ai";
import type { OperationResult } from "skillset/adapter";
import type { ChatMessage } from "../../shared/api.ts";
import { BY_USER, type ChatPart, skillOutputOf, withOutput } from "../chats/skill-outputs.ts";

export interface PromptMessagesOptions {
  /** Whether a skill was unloaded: its instructions are not sent again. */
  readonly isUnloaded: (skill: string) => boolean;
  /** Whether the model knows what a tool call is. */
  readonly hasTools: boolean;
}

/** A chat as a model is given it. What earlier requests held stays as it was, so that prompt caches hold. */
export function toPromptMessages(
  messages: readonly ChatMessage[],
  options: PromptMessagesOptions,
): Promise<ModelMessage[]> {
  const tools: Record<string, Tool> = {};
  const toPromptPart = (part: ChatPart): ChatPart[] => {
    if (!isToolUIPart(part)) return [part];
    // What a person invoked stands in that person's message.
    if (!options.hasTools || part.toolCallId.startsWith(BY_USER)) return [];
    tools[getToolName(part)] = RESULT_AS_TEXT;
    const output = skillOutputOf(part);
    if (output?.kind !== "activation" || output.data.alreadyActive === true) return [part];
    const { name } = output.data;
    if (!options.isUnloaded(String(name))) return [part];
    const text = `The skill '${name}' is no longer active: its instructions are not part of this conversation any more.`;
    return [withOutput(part, { isError: false, text, data: {} })];
  };
  const parts = messages.map((message) => ({ ...message, parts: message.parts.flatMap(toPromptPart) }));
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
