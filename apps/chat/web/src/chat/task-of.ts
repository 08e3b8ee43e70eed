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

/** The start of a message that uses a skill: its task, or one that its description suggests and the user completes. */
export function messageFor(command: Pick<SkillCommand, "description" | "name" | "task">): string {
  return `/${command.name} ${command.task?.text ?? `${taskOf(command)}: `}`;
}

/**
 * Picks skills across the whole list, not only from the start of the alphabet. Those with a task come first, one of them
 * with a task about a file; those that test the system come last.
 */
export function pickSkills(commands: readonly SkillCommand[], count: number): readonly SkillCommand[] {
  const real = commands.filter(({ name }) => !SELF_TEST.test(name));
  const withTask = real.filter(({ task }) => task !== undefined);
  const withFile = withTask.find(({ task }) => task?.needsFile);
  const groups = [
    withFile === undefined ? [] : [withFile],
    withTask.filter((command) => command !== withFile),
    real.filter(({ task }) => task === undefined),
    commands.filter(({ name }) => SELF_TEST.test(name)),
  ];
  const picked = new Set<SkillCommand>();
  for (const group of groups) for (const command of spread(group, count - picked.size)) picked.add(command);
  return commands.filter((command) => picked.has(command));
}

/** The first, the last, and others at equal distances between them. */
function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  const step = (items.length - 1) / Math.max(1, count - 1);
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)));
  return items.filter((_, index) => places.has(index));
}

const SELF_TEST = /(?:^|-)(?:validation|conformance|self-?test|smoke|test)(?:-|$)/;
