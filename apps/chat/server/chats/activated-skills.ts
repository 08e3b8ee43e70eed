import type { ChatMessage } from "../../shared/api.ts";
import { wordsOf } from "./message-words.ts";
import { skillOutputOf } from "./skill-outputs.ts";

/** The skills that were first activated in a message or after it. */
export function skillsActivatedFrom(messages: readonly ChatMessage[], id: string): readonly string[] {
  const at = messages.findIndex((message) => message.id === id);
  if (at === -1) return [];
  const before = new Set(messages.slice(0, at).flatMap(activatedIn));
  return [...new Set(messages.slice(at).flatMap(activatedIn))].filter((name) => !before.has(name));
}

/** A skill that a user's message names counts too, because its answer may have failed. */
function activatedIn(message: ChatMessage): readonly string[] {
  if (message.role === "user") return /^\/(\S+)/.exec(wordsOf(message))?.slice(1) ?? [];
  return message.parts.flatMap((part) => {
    const output = skillOutputOf(part);
    return output?.kind === "activation" ? [String(output.data.name)] : [];
  });
}
