import { splitWords } from "../../command-line/split-words.ts";
import { failed, type Reply, type TryConversation } from "./try-conversation.ts";

/** Runs a script as a model does. After its path come words, or all other arguments of the operation as a JSON object. */
export function runScriptLine(
  conversation: TryConversation,
  [skill = "", rest = ""]: readonly string[],
): Promise<Reply> | Reply {
  const [, script = "", text = ""] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
  const more = argumentsOf(text);
  if (typeof more === "string") return failed(more);
  return conversation.operate("run_skill_script", skill, { skill, script, ...more });
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | string {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      return `The arguments are not JSON: ${(error as Error).message}`;
    }
  }
  try {
    return { args: splitWords("", text) };
  } catch {
    return "The arguments have an unclosed quote.";
  }
}
