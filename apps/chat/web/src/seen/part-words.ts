import type { ContextPart, TextKind } from "../../../shared/steps-api.ts";

/** Names of the kinds of texts, for people. */
export const KIND_WORDS: Readonly<Record<TextKind, string>> = {
  tool: "Tool definitions",
  rules: "Rules",
  catalog: "Catalog",
  notice: "Notices",
  instructions: "Instructions",
  file: "File",
  question: "Your messages",
  answer: "Answers",
  reasoning: "Reasoning",
  call: "Tool calls",
  result: "Tool results",
  attachment: "Attachment",
};

/** The skill or file that a part belongs to. */
export function subjectOf({ skill, path }: Pick<ContextPart, "skill" | "path">): string | undefined {
  return path ?? skill;
}

/** The parts in the order of the bar: what the chat adds, what skills add, and the conversation. */
export function inOrder(parts: readonly ContextPart[]): readonly ContextPart[] {
  const place = ({ kind }: ContextPart) => KINDS.indexOf(kind);
  return parts.toSorted((one, other) => place(one) - place(other));
}

const KINDS = Object.keys(KIND_WORDS);

export function tokensOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
