import { contentWords, isSameWord } from "./content-words.ts";
import { namedFiles } from "./plan-calls.ts";
import { ACTIVATE, type CatalogEntry, type OfflineRequest, type SkillInstructions } from "./read-request.ts";

/** Ranks the skills that match a text, best first. Scores are comparable within one call only. */
export type RankSkills = (query: string) => Promise<readonly RankedName[]>;

export interface RankedName extends CatalogEntry {
  readonly score: number;
}

/** The skill chosen for a request. */
export type SkillChoice =
  | { readonly kind: "skill"; readonly name: string; readonly reason: ChoiceReason }
  | { readonly kind: "none"; readonly isSmallTalk: boolean; readonly suggestions: readonly CatalogEntry[] };

export type ChoiceReason =
  | { readonly why: "named" }
  | { readonly why: "words"; readonly words: readonly string[] }
  | { readonly why: "file"; readonly path: string }
  /** `isAbout` is false if the message has another topic, but no other skill matches it. */
  | { readonly why: "active"; readonly isAbout: boolean }
  | { readonly why: "given" };

/** The lead that the best skill needs over the next relevant one. In trials, the intended skill led by 1.4. */
const LEAD = 1.2;
/** With this lead over all other skills, a smaller share of the request's words is enough. */
const FAR_LEAD = 3;

/**
 * Chooses a skill by words, without understanding their meaning: by name first, then by the words that a request shares
 * with a skill's name and description. A skill is relevant if
 *
 * - the request contains its whole name; or
 * - they share at least two words, more than half of the request's; or
 * - they share at least two words, a third of the request's, and one of them is in the name; or
 * - they share at least three words, and the skill's score is three times that of any other; or
 * - the request is a single word, and it is in the name.
 *
 * The best relevant skill is chosen if it leads the next by a fifth. Otherwise the active skill is kept.
 */
export async function chooseSkill(request: OfflineRequest, rank: RankSkills): Promise<SkillChoice> {
  const { message, invoked, instructions, calls } = request;
  const named = invoked ?? namedAtStart(request);
  if (named !== undefined) return { kind: "skill", name: named, reason: { why: "named" } };

  const words = contentWords(message);
  const activated = calls.findLast(({ tool, isOfThisTurn }) => tool === ACTIVATE && isOfThisTurn)?.input.name;
  if (typeof activated === "string") {
    const entry = request.catalog.find(({ name }) => name === activated) ?? { name: activated, description: "" };
    const { shared } = matchOf(formsOf(words, request.catalog), entry);
    return { kind: "skill", name: activated, reason: { why: "words", words: shared } };
  }

  const active = request.active.flatMap((name) => instructions.get(name) ?? []).reverse();
  for (const { name, files } of active) {
    const [path] = namedFiles(files, message, "");
    if (path !== undefined) return { kind: "skill", name, reason: { why: "file", path } };
  }
  // A model without tools has instructions in its prompt only because the user asked for them.
  const [given] = request.tools.length === 0 ? active : [];
  const isSmallTalk = words.length === 0 && !(CONTINUES.test(message) && active.length > 0);
  if (isSmallTalk && given === undefined) return none(request, [], true);

  const forms = formsOf(words.slice(0, MOST_WORDS), request.catalog);
  const hits = words.length === 0 ? [] : await rank([...new Set([...forms.values()].flat())].join(" "));
  const usable = hits.filter(({ name }) => request.active.includes(name) || isOffered(request, name));
  const matches = usable
    .map((hit) => ({ hit, match: matchOf(forms, hit) }))
    .filter(({ hit, match }) => match.isRelevant || (match.shared.length > 2 && leads(hit, usable, FAR_LEAD)));
  const whole = matches.filter(({ match }) => match.hasWholeName);
  const best = (whole.length > 0 ? whole : matches)[0];
  const rivals = (whole.length > 0 ? whole : matches).map(({ hit }) => hit);
  if (best !== undefined && (rivals.length === 1 || leads(best.hit, rivals, LEAD)))
    return { kind: "skill", name: best.hit.name, reason: { why: "words", words: best.match.shared } };

  // The instructions of the named skill come last, and its name is no longer in the message.
  if (given !== undefined) return { kind: "skill", name: given.name, reason: { why: "given" } };
  const current = active.find((one) => isAbout(one, words));
  const kept = current ?? active[0];
  const isKept = current !== undefined;
  if (kept !== undefined) return { kind: "skill", name: kept.name, reason: { why: "active", isAbout: isKept } };
  return none(request, hits, false);
}

/** Words that continue the current topic. */
const CONTINUES = /^\s*(?:and|continue|go (?:on|ahead)|more|next|please do|yes)\b/i;

/** `/name` stays in the message if the instructions are elsewhere. */
function namedAtStart({ message, instructions }: OfflineRequest): string | undefined {
  const [, name = ""] = /^\/(\S+)/.exec(message) ?? [];
  return instructions.has(name) ? name : undefined;
}

/** Whether the model may activate the skill. With many skills, only the catalog or a search lists them. */
function isOffered({ tools, catalog }: OfflineRequest, name: string): boolean {
  const activate = tools.find((tool) => tool.name === ACTIVATE);
  if (activate === undefined) return false;
  const schema = activate.inputSchema.properties?.name;
  const names = typeof schema === "object" ? schema.enum : undefined;
  return names?.includes(name) ?? catalog.some((entry) => entry.name === name);
}

function leads(hit: RankedName, hits: readonly RankedName[], factor: number): boolean {
  const next = hits.find((other) => other !== hit);
  return next !== undefined && hit.score >= factor * next.score;
}

/** Only the first words of a long message count. */
const MOST_WORDS = 100;

/** The forms of each word that occur in skills, because the search matches exact forms only. */
type WordForms = ReadonlyMap<string, readonly string[]>;

function formsOf(words: readonly string[], skills: readonly CatalogEntry[]): WordForms {
  const vocabulary = new Set(skills.flatMap(({ name, description }) => contentWords(`${name} ${description}`)));
  return new Map(
    words.map((word) => {
      const same = [word, `${word}s`, word.replace(/s$/, "")].filter((form) => vocabulary.has(form));
      const forms = same.length > 0 ? same : [...vocabulary].filter((form) => isSameWord(word, form));
      return [word, [...new Set([word, ...forms])]];
    }),
  );
}

interface Match {
  /** The words that a request shares with a skill's name or description. */
  readonly shared: readonly string[];
  readonly hasWholeName: boolean;
  readonly isRelevant: boolean;
}

function matchOf(forms: WordForms, { name, description }: CatalogEntry): Match {
  const nameWords = contentWords(name);
  const described = new Set([...nameWords, ...contentWords(description)]);
  const words = [...forms.keys()];
  const isIn = (texts: ReadonlySet<string>) => (word: string) => forms.get(word)?.some((form) => texts.has(form));
  const shared = words.filter(isIn(described));
  const isNamed = words.some(isIn(new Set(nameWords)));
  const hasWholeName = nameWords.length > 1 && nameWords.every((one) => words.some(isIn(new Set([one]))));
  const part = shared.length / words.length;
  const isRelevant =
    hasWholeName ||
    (shared.length > 1 && (part > 1 / 2 || (isNamed && part >= 1 / 3))) ||
    (words.length === 1 && isNamed);
  return { shared, hasWholeName, isRelevant };
}

/** Whether a message may refer to loaded instructions: it has no other topic, or shares a word with them. */
function isAbout({ name, body }: SkillInstructions, words: readonly string[]): boolean {
  const theirs = new Set(contentWords(`${name} ${body}`));
  return words.length === 0 || words.some((word) => theirs.has(word));
}

/** Suggestions: search results first, then other skills. */
function none({ catalog }: OfflineRequest, hits: readonly CatalogEntry[], isSmallTalk: boolean): SkillChoice {
  const listed = new Set(catalog.map(({ name }) => name));
  const found = hits.filter(({ name }) => listed.size === 0 || listed.has(name));
  const suggestions = new Map([...found, ...catalog].map((entry) => [entry.name, entry]));
  return { kind: "none", isSmallTalk, suggestions: [...suggestions.values()] };
}
