import type { PathBases } from "./path-pattern.ts";
import { splitCommand } from "./split-command.ts";
import { kindOf, type ToolCall } from "./tool-call.ts";
import { isCovered, parseToolToken, type ToolToken } from "./tool-token.ts";

/** Returns what a skill's tokens lack to cover the call: narrow tokens if there are some, else the tool's name. */
export function suggestToken(call: ToolCall, tokens: readonly ToolToken[], bases: PathBases): string {
  const { tool } = call;
  if (!SAFE.test(tool) || !parseToolToken(tool).covers(call)) return "*";
  const added = specifiersFor(call, tokens).map((specifier) => `${tool}(${specifier})`);
  const isEnough =
    added.every((text) => SAFE.test(text)) &&
    isCovered([...tokens, ...added.map((text) => parseToolToken(text, bases))], call);
  return isEnough && added.length > 0 && added.length <= 3 ? added.join(" ") : tool;
}

/** Models read it and ledgers keep it, so it contains no arguments and no unusual characters. */
const SAFE = /^[\w./~:*@()-]{1,120}$/;

function specifiersFor({ tool, subject }: ToolCall, tokens: readonly ToolToken[]): readonly string[] {
  if (subject === undefined) return [];
  switch (kindOf(tool)) {
    case "command": {
      const commands = splitCommand(subject) ?? [];
      const missing = commands.filter(({ text }) => !isCovered(tokens, { tool, subject: text }));
      return [...new Set(missing.map(({ text }) => `${text.split(" ")[0]}:*`))];
    }
    case "path":
      return [subject.startsWith("/") ? `/${subject}` : /^[.~]\//.test(subject) ? subject : `./${subject}`];
    case "domain":
      return [`domain:${subject}`];
    case "text":
      return [];
  }
}
