import { randomUUID } from "node:crypto";
import { type Session, SkillError } from "skillset";
import type { OperationResult } from "skillset/adapter";
import type { MatchedTrigger } from "../../shared/api.ts";
import { BY_TRIGGER, BY_USER } from "../chats/skill-outputs.ts";
import type { AnswerOutcome, AnswerWriter, ChatTurn } from "./chat-turn.ts";

/** Answers a message that is only `/name`, or several names: activates the skills without calling a model. */
export async function answerBareInvocation(
  session: Session,
  names: readonly string[],
  turn: ChatTurn,
  writer: AnswerWriter,
): Promise<AnswerOutcome> {
  const active: string[] = [];
  const failures: string[] = [];
  for (const name of names) {
    const output = await activate(session, name, "", turn.answer.signal);
    writeActivation(writer, name, output);
    if (output.isError) failures.push(output.text);
    else active.push(`'${name}'`);
  }
  const id = randomUUID();
  const subject = active.length > 1 ? `The skills ${active.join(", ")} are` : `The skill ${active[0]} is`;
  const done = active.length === 0 ? [] : [`${subject} active. Now write your request.`];
  writer.write({ type: "text-start", id });
  writer.write({ type: "text-delta", id, delta: [...failures, ...done].join("\n\n") });
  writer.write({ type: "text-end", id });
  writer.write({ type: "finish" });
  return "done";
}

/** Shows an activation by the user or a trigger as a tool call, like one by a model. It is never sent to models. */
export function writeActivation(
  writer: AnswerWriter,
  name: string,
  output: OperationResult,
  trigger?: MatchedTrigger,
): void {
  const toolCallId = `${trigger === undefined ? BY_USER : BY_TRIGGER}${randomUUID()}`;
  const input = { name, ...(trigger && { trigger }) };
  writer.write({ type: "start-step" });
  writer.write({ type: "tool-input-available", toolCallId, toolName: "skills_activate", input });
  writer.write({ type: "tool-output-available", toolCallId, output });
  writer.write({ type: "finish-step" });
}

/** Activates a skill for the user, with the text after its name as arguments. */
export async function activate(
  session: Session,
  name: string,
  words: string,
  signal: AbortSignal,
): Promise<OperationResult> {
  try {
    const { text, ...data } = await session.activate(name, { by: "user", arguments: words, signal });
    return { isError: false, text, data };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { isError: true, text: error.message, code: error.code };
  }
}
