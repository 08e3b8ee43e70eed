import { LIMITS } from "../base/limits.ts";

/** Formats an error for a model: one line, no local paths, no stack, at most 500 characters. */
export function toModelMessage(error: unknown): string {
  const line = messageOf(error).replace(/\s+/g, " ").trim() || "unknown error";
  const clean = hidePaths(line);
  const short = clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
  // The cut may leave half a character.
  return short.replace(HALF_A_CHARACTER, "");
}

const MAX_LENGTH = LIMITS.shown.messageCharacters;
const HALF_A_CHARACTER = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Any value may be thrown, even one that throws when it is converted to a string. */
function messageOf(error: unknown): string {
  try {
    if (typeof error === "string") return error;
    const { message } = error as { message?: unknown };
    return typeof message === "string" ? message : "unknown error";
  } catch {
    return "unknown error";
  }
}

/** A quoted path may contain spaces. An unquoted one ends at the next space. */
function hidePaths(text: string): string {
  return text
    .replace(/(["'`])(?:file:\/\/|\/|~\/|[A-Za-z]:[\\/]|\\\\)[^"'`]*\1/g, "$1<path>$1")
    .replace(
      /(?:file:\/\/\S+|\\\\[^\s"'`]+|\b[A-Za-z]:[\\/][^\s"'`]*|(?<![\w./])~?\/(?:[^\s"'`/]+\/)+[^\s"'`/:]*)/g,
      "<path>",
    );
}
