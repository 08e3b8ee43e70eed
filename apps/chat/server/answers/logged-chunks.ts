import type { ChatMessage } from "../../shared/api.ts";
import { type ChatPart, isSkillPart, withoutSkillText } from "../chats/skill-outputs.ts";
import type { AnswerChunk } from "./join-chunks.ts";

type OutputChunk = Extract<AnswerChunk, { type: "tool-output-available" }>;

/** The output of a skill operation in the log: without the skill's text, and with the name of its tool. */
type LoggedOutput = OutputChunk & { readonly skillTool: string };

/** Removes the texts of skills from chunks before they are stored. */
export class ChunkCleaner {
  readonly #tools = new Map<string, string>();

  clean(chunks: readonly AnswerChunk[]): readonly AnswerChunk[] {
    return chunks.map((chunk) => {
      if (chunk.type === "tool-input-start" || chunk.type === "tool-input-available")
        this.#tools.set(chunk.toolCallId, chunk.toolName);
      if (chunk.type !== "tool-output-available") return chunk;
      const skillTool = this.#tools.get(chunk.toolCallId) ?? "";
      const part = toPart(chunk, skillTool);
      if (!isSkillPart(part)) return chunk;
      const [cleaned] = withoutSkillText(messageOf("", [part])).parts;
      const logged: LoggedOutput = { ...chunk, output: (cleaned as { output?: unknown }).output, skillTool };
      return logged;
    });
  }
}

/** Fills the texts of skills into chunks of a log. `fill` fills them into the parts of a message. */
export async function fillChunks(
  answerId: string,
  chunks: readonly AnswerChunk[],
  fill: (message: ChatMessage) => Promise<ChatMessage>,
): Promise<readonly AnswerChunk[]> {
  const parts = chunks.filter(isLoggedOutput).map((chunk) => toPart(chunk, chunk.skillTool));
  if (parts.length === 0) return chunks;
  const filled = await fill(messageOf(answerId, parts));
  let index = 0;
  return chunks.map((chunk) => {
    if (!isLoggedOutput(chunk)) return chunk;
    const { skillTool: _tool, ...rest } = chunk;
    return { ...rest, output: (filled.parts[index++] as { output?: unknown }).output };
  });
}

function isLoggedOutput(chunk: AnswerChunk): chunk is LoggedOutput {
  return "skillTool" in chunk;
}

function toPart({ toolCallId, output }: OutputChunk, toolName: string): ChatPart {
  return { type: `tool-${toolName}`, toolCallId, state: "output-available", input: {}, output } as unknown as ChatPart;
}

function messageOf(id: string, parts: ChatPart[]): ChatMessage {
  return { id, role: "assistant", parts };
}
