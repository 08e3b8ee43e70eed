import { createHash } from "node:crypto";
import type { OperationResult, ResultFile } from "skillset/adapter";
import type { ChatMessage } from "../../shared/api.ts";

export type ChatPart = ChatMessage["parts"][number];
type SkillPart = Extract<ChatPart, { type: "tool-skills_activate" | "tool-skills_read_resource" }>;
type Data = Readonly<Record<string, unknown>>;

/** The data of a skill operation's output, with or without its text. */
export interface SkillOutput {
  readonly kind: "activation" | "reading";
  readonly data: Data;
  readonly text: string;
  /** The file that was read, if the model got it as a file. It is stored without its bytes. */
  readonly files?: readonly ResultFile[];
}

/** The start of the ids of activations that no model made: by `/name`, and by a trigger. */
export const BY_USER = "user-";
export const BY_TRIGGER = "trigger-";

export function isSkillPart(part: ChatPart): part is SkillPart {
  return part.type === "tool-skills_activate" || part.type === "tool-skills_read_resource";
}

/** Whether the user made this tool call with `/name`, rather than a model. */
export function isByUser(part: ChatPart): boolean {
  return isSkillPart(part) && part.toolCallId.startsWith(BY_USER);
}

/** Whether the instructions are part of the user's message, because the user or a trigger activated the skill. */
export function isInMessage(part: ChatPart): boolean {
  return isByUser(part) || (isSkillPart(part) && part.toolCallId.startsWith(BY_TRIGGER));
}

/** The skill output in a part, even if its text was removed for storage; undefined for all other parts. */
export function skillOutputOf(part: ChatPart): SkillOutput | undefined {
  if (!isSkillPart(part) || part.state !== "output-available" || part.output.isError) return undefined;
  const kind = part.type === "tool-skills_activate" ? "activation" : "reading";
  const { data, text, files } = part.output;
  return { kind, data, text, ...(files && { files }) };
}

/** What models get instead of the instructions of a skill that was unloaded. */
export function unloadedText(name: unknown): string {
  return `The skill '${name}' is no longer active. Its instructions were removed from this conversation.`;
}

export function withOutput(part: ChatPart, output: OperationResult): ChatPart {
  return { ...part, output } as ChatPart;
}

/** Prepares a message for storage: keeps activations and reads with digests, and removes the texts of skills. */
export function withoutSkillText(message: ChatMessage): ChatMessage {
  const parts = message.parts
    .filter(({ type }) => !type.startsWith("data-"))
    .map((part) => {
      const found = skillOutputOf(part);
      return found === undefined ? part : withOutput(part, { isError: false, ...withoutText(found) });
    });
  return { ...message, parts };
}

function withoutText({ kind, data, text, files }: SkillOutput): Omit<SkillOutput, "kind"> {
  if (files !== undefined) {
    const { name, path, mediaType, bytes, digest } = data;
    return { text, data: { name, path, mediaType, bytes, digest }, files };
  }
  if (kind === "reading") {
    const { name, path, truncated, bytes, content } = data;
    return { text: "", data: { name, path, truncated, bytes, digest: digestOf(String(content)) } };
  }
  const { name, bytes, truncated, tokens, overBudget, alreadyActive, changed, digest } = data;
  // The "already active" text is the library's, not the skill's.
  const kept = alreadyActive === true ? text : "";
  return { text: kept, data: { name, bytes, truncated, tokens, overBudget, alreadyActive, changed, digest } };
}

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
