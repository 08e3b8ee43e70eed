import type { Skill } from "../skill/skill.ts";

/**
 * Returns what a skill says about when to use it: its triggers, and the clauses of its description that name an occasion.
 * Examples in the instructions are left out: they find no more skills, and their many English words push skills ahead
 * of the right one when a request in another language contains a product name.
 */
export function whenText(skill: Pick<Skill, "description" | "triggers">): string {
  const parts = [triggerText(skill)];
  for (const clause of skill.description.slice(0, READ_CHARACTERS).split(CLAUSE_END)) {
    const start = clause.search(OCCASION);
    if (start === -1) continue;
    const end = clause.search(EXCLUSION);
    parts.push(clause.slice(start, end === -1 ? undefined : Math.max(start, end)));
  }
  return parts.join("\n");
}

/** Returns the words that trigger a skill. */
export function triggerText({ triggers }: Pick<Skill, "triggers">): string {
  return [...(triggers?.keywords ?? []), ...(triggers?.verbs ?? [])].join("\n");
}

/** Twice the longest description of ten thousand public skills. */
const READ_CHARACTERS = 10_000;
// Every pattern is a list of literal words, so a search takes linear time in any text.
const CLAUSE_END = /[.!?;](?=\s)|[\n。！？；]/;
const OCCASION = new RegExp(
  [
    String.raw`\b(?:when|whenever|trigger(?:s|ed)?|activates?|invoked?|asks?|asked|says?|mentions?|keywords?)\b`,
    String.raw`\buse (?:this|it|for|if|to|proactively)\b`,
    String.raw`\bused (?:for|to)\b`,
    String.raw`\b(?:ideal|perfect|best|designed|suitable) for\b`,
    String.raw`\b(?:wenn|sobald|quand|lorsque|cuando|quando)\b`,
    "когда|触发|觸發|适用|適用|用于|用於|当用户|當使用者|使用场景|トリガー|時に|ときに|場合に|で使う|で使用|할 때|때 사용",
  ].join("|"),
  "i",
);
const EXCLUSION = new RegExp(
  [
    String.raw`\b(?:not|don't|never) (?:use|for|trigger|invoke|activate|when|if|intended)\b`,
    "不适用|不適用|不要用|使用しない|トリガーしない",
  ].join("|"),
  "i",
);
