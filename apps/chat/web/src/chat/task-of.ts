import type { SkillCommand } from "../../../shared/skills-api.ts";

/** What a skill does, as something to ask for: "Review this code change". Made from the start of its description. */
export function taskOf({ name, description }: Pick<SkillCommand, "description" | "name">): string {
  const [sentence = ""] = description
    .trim()
    .replace(/\s+/g, " ")
    .split(/[.;!?](?= |$)/, 1);
  // Stops at the first place with at least three words before it: "Write, improve or review" has none before its comma.
  const ends = [...sentence.matchAll(/ \(| [-–—] |[:,] /g)].map(({ index }) => index);
  const end = ends.find((at) => sentence.slice(0, at).split(" ").length >= 3) ?? sentence.length;
  const [verb = "", ...rest] = sentence.slice(0, Math.min(end, LONGEST)).split(" ");
  if (rest.length === 0) return `Use ${name}`;
  const [article = "", ...thing] = rest;
  const object = /^an?$/.test(article) ? ["this", ...thing] : rest;
  return [imperative(verb), ...object].join(" ");
}

const LONGEST = 80;

/** "Reviews" becomes "Review". */
function imperative(verb: string): string {
  if (/[^aeiou]ies$/i.test(verb)) return `${verb.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/i.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/i.test(verb) ? verb.slice(0, -1) : verb;
}

/** Picks skills across the whole list, not only from the start of the alphabet. Those that test the system come last. */
export function pickSkills(commands: readonly SkillCommand[], count: number): readonly SkillCommand[] {
  const real = commands.filter(({ name }) => !SELF_TEST.test(name));
  if (real.length <= count) return [...real, ...commands.filter(({ name }) => SELF_TEST.test(name))].slice(0, count);
  const step = (real.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => real[Math.round(index * step)]).filter((command) => !!command);
}

const SELF_TEST = /(?:^|-)(?:validation|conformance|self-?test|smoke|test)(?:-|$)/;
