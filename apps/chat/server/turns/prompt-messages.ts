import { convertToModelMessages, getToolName, isToolUIPart, jsonSchema, type ModelMessage, type Tool } from "ai";
import type { OperationResult, ResultFile } from "skillset/adapter";
import type { ChatMessage } from "../../shared/api.ts";
import { type ChatPart, isInMessage, skillOutputOf, unloadedText, withOutput } from "../chats/skill-outputs.ts";

export interface PromptMessagesOptions {
  /** Whether a skill was unloaded. Its instructions are then no longer sent. */
  readonly isUnloaded: (skill: string) => boolean;
  /** Whether the model supports tool calls. */
  readonly hasTools: boolean;
}

/** Converts a chat to a model's messages. Earlier messages never change, so that prompt caches remain valid. */
export function toPromptMessages(
  messages: readonly ChatMessage[],
  options: PromptMessagesOptions,
): Promise<ModelMessage[]> {
  const tools: Record<string, Tool> = {};
  const toPromptPart = (part: ChatPart): ChatPart[] => {
    if (!isToolUIPart(part)) return [part];
    if (!options.hasTools || isInMessage(part)) return [];
    tools[getToolName(part)] = RESULT_AS_TEXT;
    const output = skillOutputOf(part);
    if (output?.kind !== "activation" || output.data.alreadyActive) return [part];
    const { name } = output.data;
    if (!options.isUnloaded(name)) return [part];
    return [withOutput(part, { ...output, text: unloadedText(name) })];
  };
  const parts = messages.map((message) => ({ ...message, parts: message.parts.flatMap(toPromptPart) }));
  const spoken = parts.filter((message) => message.role !== "assistant" || message.parts.length > 0);
  return convertToModelMessages(spoken, { tools, ignoreIncompleteToolCalls: true });
}

const RESULT_AS_TEXT: Tool = {
  inputSchema: jsonSchema({ type: "object" }),
  toModelOutput: ({ output: result }: { readonly output: OperationResult }) => {
    const { isError, text } = result;
    // The adapter reads files again, and puts them where the provider takes them.
    if (!result.isError && result.files !== undefined)
      return { type: "json", value: { isError: false, text, data: {}, files: result.files.map(asJson) } };
    return { type: isError ? "error-text" : "text", value: text };
  },
};

function asJson({ skill, path, mediaType, bytes, digest }: ResultFile) {
  return { ...(skill && { skill }), path, mediaType, bytes, ...(digest && { digest }) };
}
