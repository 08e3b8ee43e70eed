import { randomUUID } from "node:crypto";
import { type Session, SkillError } from "skillset";
import type { ChatTools, MatchedTrigger } from "../../shared/api.ts";
import { BY_TRIGGER, BY_USER } from "../chats/skill-outputs.ts";
import type { AnswerWriter } from "./chat-turn.ts";

/** Shows an activation by the user or a trigger as a tool call, like one by a model. It is never sent to models. */
export function writeActivation(
  writer: AnswerWriter,
  name: string,
  output: ChatTools["skills_activate"]["output"],
  trigger?: MatchedTrigger,
): void {
  const toolCallId = `${trigger === undefined ? BY_USER : BY_TRIGGER}${randomUUID()}`;
  const input = { name, ...(trigger && { trigger }) };
  writer.write({ type: "start-step" });
  writer.write({ type: "tool-input-available", toolCallId, toolName: "skills_activate", input });
  writer.write({ type: "tool-output-available", toolCallId, output });
  writer.write({ type: "finish-step" });
}

/** Activates a skill whose instructions are in the prompt already, so a refusal does not end the answer. */
export async function activate(session: Session, name: string, words: string, signal: AbortSignal): Promise<void> {
  try {
    await session.activate(name, { by: "user", arguments: words, signal });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
  }
}
