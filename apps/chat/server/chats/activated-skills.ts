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

/** Skills that a user's message names count too, because its answer may have failed. */
function activatedIn(message: ChatMessage): readonly string[] {
  if (message.role === "user") {
    const [names = ""] = /^(?:\/\S+\s*)+/.exec(wordsOf(message)) ?? [];
    return Array.from(names.matchAll(/\/(\S+)/g), ([, name = ""]) => name);
  }
  return message.parts.flatMap((part) => {
    const output = skillOutputOf(part);
    return output?.kind === "activation" ? [output.data.name] : [];
  });
}
