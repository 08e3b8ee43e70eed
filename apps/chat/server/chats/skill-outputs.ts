import { createHash } from "node:crypto";
import type { ResultFile } from "skillset/adapter";
import type { ChatMessage, ShownActivation, ShownFile } from "../../shared/api.ts";

export type ChatPart = ChatMessage["parts"][number];
type SkillPart = Extract<ChatPart, { type: "tool-skills_activate" | "tool-skills_read_resource" }>;

/** The data of a skill operation's output, with or without its text. */
export type SkillOutput = ActivationOutput | ReadingOutput;

export interface ActivationOutput {
  readonly kind: "activation";
  readonly data: ShownActivation;
  readonly text: string;
}

export interface ReadingOutput {
  readonly kind: "reading";
  readonly data: ShownFile;
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
  if (part.type === "tool-skills_activate") {
    const { data, text } = part.output;
    return { kind: "activation", data, text };
  }
  const { data, text, files } = part.output;
  return { kind: "reading", data, text, ...(files && { files }) };
}

/** The skill that was activated, or that the file belongs to. */
export function skillOf(output: SkillOutput): string {
  return output.kind === "activation" ? output.data.name : output.data.skill;
}

/** What models get instead of the instructions of a skill that was unloaded. */
export function unloadedText(name: string): string {
  return `The skill '${name}' is no longer active. Its instructions were removed from this conversation.`;
}

/** Replaces the output of a part that has one of this kind. */
export function withOutput(part: ChatPart, output: SkillOutput): ChatPart {
  if (!isSkillPart(part) || part.state !== "output-available") return part;
  const { text } = output;
  if (part.type === "tool-skills_activate" && output.kind === "activation")
    return { ...part, output: { isError: false, text, data: output.data } };
  if (part.type === "tool-skills_read_resource" && output.kind === "reading")
    return {
      ...part,
      output: { isError: false, text, data: output.data, ...(output.files && { files: output.files }) },
    };
  return part;
}

/** Prepares a message for storage: keeps activations and reads with digests, and removes the texts of skills. */
export function withoutSkillText(message: ChatMessage): ChatMessage {
  const parts = message.parts
    .filter(({ type }) => !type.startsWith("data-"))
    .map((part) => {
      const found = skillOutputOf(part);
      return found === undefined ? part : withOutput(part, withoutText(found));
    });
  return { ...message, parts };
}

function withoutText(output: SkillOutput): SkillOutput {
  if (output.kind === "reading") return withoutContent(output);
  const { name, bytes, truncated, tokens, overBudget, alreadyActive, changed, digest } = output.data;
  // The "already active" text is the library's, not the skill's.
  const text = alreadyActive ? output.text : "";
  return { ...output, text, data: { name, bytes, truncated, tokens, overBudget, alreadyActive, changed, digest } };
}

function withoutContent({ kind, data, text, files }: ReadingOutput): ReadingOutput {
  const { skill, path, mediaType, truncated, bytes, content, digest } = data;
  if (files !== undefined) return { kind, text, data: { skill, path, mediaType, bytes, digest }, files };
  return { kind, text: "", data: { skill, path, truncated, bytes, digest: digestOf(String(content)) } };
}

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
