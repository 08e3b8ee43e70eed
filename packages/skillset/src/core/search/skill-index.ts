// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import { TimeSlices } from "../base/time-slices.ts";
import type { Skill } from "../skill/skill.ts";
import { indexSkills } from "./index-skills.ts";
import type { RankIndex } from "./rank.ts";
import { type SearchedList, searchSegments } from "./search-segments.ts";
import { SkillKeys } from "./skill-keys.ts";
import { adopt, type IndexedDocument, type StoredSegment, tidySegments } from "./stored-segments.ts";
import { type HashSeed, randomSeed } from "./term-table.ts";

export interface SkillIndexOptions {
  /** Also indexes the instructions. */
  readonly body: boolean;
}

export interface ListOptions {
  /** Aborts the indexing. */
  readonly signal?: AbortSignal;
}

/**
 * The words of skills, for any number of lists of them: a skillset, a part of it, and both after a reload. Each version
 * of a skill is indexed once. Each list ranks as if it were indexed alone.
 */
export class SkillIndex {
  readonly #body: boolean;
  readonly #keys = new SkillKeys();
  readonly #known = new Map<string, IndexedDocument>();
  readonly #seed = randomSeed();
  #segments: readonly StoredSegment[] = [];
  #lists = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ body }: SkillIndexOptions) {
    this.#body = body;
  }

  /** Indexes the skills that are new or changed. Lists are made one after another, because they share the work. */
  list(skills: readonly Skill[], { signal }: ListOptions = {}): Promise<RankIndex> {
    const list = this.#last.then(() => this.#createList([...skills], signal));
    this.#last = list.catch(() => {});
    return list;
  }

  async #createList(skills: readonly Skill[], signal: AbortSignal | undefined): Promise<RankIndex> {
    signal?.throwIfAborted();
    const slices = new TimeSlices(signal);
    const keys = await this.#keys.of(skills, slices);
    const listed = keys.map((key) => this.#known.get(key));
    const missing = [...skills.keys()].filter((place) => listed[place] === undefined);
    if (missing.length > 0) {
      const added = await this.#add(
        missing.map((place) => skills[place]!),
        missing.map((place) => keys[place]!),
        slices,
        signal,
      );
      for (const [at, place] of missing.entries()) listed[place] = added[at];
    }
    this.#lists++;
    for (const document of listed) document!.usedAt = this.#lists;
    if (slices.isOver()) await slices.next();
    await this.#tidy(slices);
    if (slices.isOver()) await slices.next();
    const list = toSearchedList(skills, listed as IndexedDocument[], this.#seed);
    return { search: (query, options) => searchSegments(list, query, options) };
  }

  /** Returns the document of each skill. */
  async #add(
    skills: readonly Skill[],
    keys: readonly string[],
    slices: TimeSlices,
    signal: AbortSignal | undefined,
  ): Promise<IndexedDocument[]> {
    const options = { seed: this.#seed, body: this.#body, slices, signal };
    const { segment, places, unreadable } = await indexSkills(skills, options);
    if (slices.isOver()) await slices.next();
    const added = skills.map((): IndexedDocument => ({ usedAt: 0, segment: undefined, number: -1 }));
    this.#segments = [...this.#segments, adopt({ segment, documents: places.map((place) => added[place]!) })];
    for (const [place, document] of added.entries()) {
      // Instructions that cannot be read now are read again for the next list.
      if (!unreadable.has(place)) this.#known.set(keys[place]!, document);
    }
    return added;
  }

  /** Drops what the last lists did not contain, once it takes more room than the rest. */
  async #tidy(slices: TimeSlices): Promise<void> {
    this.#segments = await tidySegments(this.#segments, (document) => this.#isUsed(document), slices);
    const kept = new Set<StoredSegment | undefined>(this.#segments);
    for (const [key, { segment }] of this.#known) if (!kept.has(segment)) this.#known.delete(key);
  }

  #isUsed({ usedAt }: IndexedDocument): boolean {
    return this.#lists - usedAt < KEPT_LISTS;
  }
}

/** So many lists can take turns, such as parts of a skillset, before what only one of them contains is dropped. */
const KEPT_LISTS = 8;

function toSearchedList(skills: readonly Skill[], listed: readonly IndexedDocument[], seed: HashSeed): SearchedList {
  const stored = [...new Set(listed.map(({ segment }) => segment!))];
  const partOf = new Map(stored.map((one, at) => [one, at]));
  const partAt = Uint32Array.from(listed, ({ segment }) => partOf.get(segment!)!);
  const documentAt = Uint32Array.from(listed, ({ number }) => number);
  const placesOf = stored.map(({ documents }) => new Int32Array(documents.length).fill(-1));
  for (const place of listed.keys()) placesOf[partAt[place]!]![documentAt[place]!] = place;
  const parts = stored.map(({ segment }, at) => {
    const places = placesOf[at]!;
    return { segment, places, isWhole: !places.includes(-1) };
  });
  return { skills, parts, partAt, documentAt, seed };
}
