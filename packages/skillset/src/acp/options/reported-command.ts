import { namesSubject, toToolCall } from "../../core/allowed-tools/tool-call.ts";

/**
 * Returns the command line in the input of a permission request: undefined if there is none, and `null` if it is not
 * certain what would run.
 */
export function reportedCommand(input: unknown): string | null | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === "string") return input;
  if (typeof input !== "object") return null;
  const { command } = input as { readonly command?: unknown };
  // Codex reports the words that it starts.
  const line = Array.isArray(command) ? lineOf(command) : undefined;
  const call = toToolCall("Bash", line === undefined ? input : { ...input, command: line });
  return call.subject ?? (namesSubject("command", input) ? null : undefined);
}

function lineOf(words: readonly unknown[]): string | undefined {
  if (!words.every((word) => typeof word === "string")) return undefined;
  const [program = "", option = "", line] = words;
  if (words.length === 3 && line !== undefined && SHELL.test(program) && /^-l?c$/.test(option)) return line;
  // Words with characters of a shell would read as something else.
  return words.every((word) => /^[\w@%+:,./=-]+$/.test(word)) ? words.join(" ") : undefined;
}

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z)?sh$/;
