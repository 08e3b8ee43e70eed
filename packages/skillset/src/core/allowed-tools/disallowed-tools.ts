import { splitTools } from "../manifest/allowed-tools.ts";
import type { Skill } from "../skill/skill.ts";

/** Returns the tokens of `disallowed-tools`, which Claude Code defines: a string or a list. Anything else denies all tools. */
export function disallowedTools({ extra }: Pick<Skill, "extra">): readonly string[] {
  const given = extra["disallowed-tools"];
  if (given === undefined || given === null) return NONE;
  const known = TOKENS.get(extra);
  if (known !== undefined) return known;
  const texts = Array.isArray(given) ? given : [given];
  const tokens = texts.flatMap((text) => (typeof text === "object" ? ["*"] : splitTools(String(text)).tools));
  TOKENS.set(extra, tokens);
  return tokens;
}

const NONE: readonly string[] = [];

const TOKENS = new WeakMap<object, readonly string[]>();
