import { LIMITS } from "../base/limits.ts";
import { messageOf } from "../base/message-of.ts";
import type { Problem } from "../base/problem.ts";
import { untilAborted } from "../base/until-aborted.ts";
import type { Skill } from "../skill/skill.ts";
import { sha256 } from "../text/sha256.ts";
import { checkLengths, embedTexts, toVector, type Vector } from "./embed-texts.ts";
import { type Embedding, type OpenedEmbedding, openEmbedding } from "./embedding.ts";
import { compareVectors, fuse } from "./fuse.ts";
import type { RankedSkill, RankSearchOptions } from "./rank.ts";

export interface FuseOptions extends Required<RankSearchOptions> {
  readonly signal: AbortSignal | undefined;
}

/**
 * Adds the similarities of an embedding model to rankings by words. Embeds the name and description of each skill once,
 * never its instructions. If the model fails or is slow, the ranking by words is returned.
 */
export class SkillEmbedder {
  readonly #embedding: OpenedEmbedding;
  readonly #report: (problem: Problem) => void;
  /** The vectors of skills by the digest of what was embedded. Reloads embed only what changed. */
  readonly #known = new Map<string, Vector>();
  readonly #sets = new WeakMap<readonly Skill[], EmbeddedSet>();
  readonly #reported = new Set<string>();
  #waiting: WaitingQuery[] = [];
  #pausedUntil = 0;

  constructor(embedding: Embedding, report: (problem: Problem) => void) {
    this.#embedding = openEmbedding(embedding);
    this.#report = report;
  }

  /** For messages: the id of the model. */
  get name(): string {
    const { id, model } = this.#embedding;
    return typeof model === "function" && id === "function" ? "a function" : `the model '${id}'`;
  }

  /** Whether another embedder has the same model and options. */
  isSame(other: SkillEmbedder): boolean {
    // Another copy of this package has other private fields.
    if (!(#embedding in other)) return false;
    const [a, b] = [this.#embedding, other.#embedding];
    return a.model === b.model && a.id === b.id && a.cache === b.cache && a.timeout === b.timeout;
  }

  /** Ranks by words, with `search`, and by similarity. */
  async rank(
    skills: readonly Skill[],
    query: string,
    search: (limit: number) => Promise<readonly RankedSkill[]>,
    { limit, minScore, signal }: FuseOptions,
  ): Promise<readonly RankedSkill[]> {
    const [byWords, similarities] = await Promise.all([
      search(Math.max(limit, SEARCHED)),
      this.#compare(skills, query, signal),
    ]);
    if (similarities !== undefined) return fuse(skills, byWords, similarities, { limit, minScore });
    return byWords.filter(({ score }) => score >= minScore).slice(0, limit);
  }

  /** Returns the similarity of each skill, or undefined if the model cannot be used now. */
  async #compare(
    skills: readonly Skill[],
    query: string,
    signal: AbortSignal | undefined,
  ): Promise<Float64Array | undefined> {
    if (skills.length === 0 || query.trim() === "" || performance.now() < this.#pausedUntil) return undefined;
    const set = this.#open(skills);
    // Only the first searches wait until the skills are embedded.
    if (set.isLate) return undefined;
    const work = this.#similarities(set, query);
    work.catch(() => {});
    const { timeout } = this.#embedding;
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeout);
    try {
      const similarities = await untilAborted(signal, Promise.race([work, tooLate]));
      if (similarities === undefined) this.#skip(set, timeout);
      return similarities;
    } catch (error) {
      signal?.throwIfAborted();
      this.#fail(skills, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #skip(set: EmbeddedSet, timeout: number): void {
    const seconds = timeout / 1_000;
    if (set.isDone) {
      this.#pausedUntil = performance.now() + PAUSE_MILLISECONDS;
      this.#reportOnce("slow", `The embedding model did not answer within ${seconds} seconds.`);
    } else {
      set.isLate = true;
      this.#reportOnce("late", `The embedding model is still embedding the skills after ${seconds} seconds.`);
    }
  }

  async #similarities({ vectors }: EmbeddedSet, query: string): Promise<Float64Array> {
    const [all, asked] = await Promise.all([vectors, this.#embedQuery(query)]);
    checkLengths([asked, ...all]);
    return compareVectors(all, asked);
  }

  #open(skills: readonly Skill[]): EmbeddedSet {
    const known = this.#sets.get(skills);
    if (known !== undefined) return known;
    const set: EmbeddedSet = { vectors: this.#embedSkills(skills), isDone: false, isLate: false };
    this.#sets.set(skills, set);
    set.vectors.then(
      () => Object.assign(set, { isDone: true, isLate: false }),
      (error: unknown) => this.#fail(skills, error),
    );
    return set;
  }

  #fail(skills: readonly Skill[], error: unknown): void {
    this.#sets.delete(skills);
    this.#pausedUntil = performance.now() + PAUSE_MILLISECONDS;
    const reason = messageOf(error).slice(0, LIMITS.shown.messageCharacters).trimEnd();
    this.#reportOnce("failed", `The embedding model failed: ${reason}${reason.endsWith(".") ? "" : "."}`);
  }

  async #embedSkills(skills: readonly Skill[]): Promise<readonly Vector[]> {
    const texts = skills.map(({ name, description }) => `${name}\n${description}`);
    const keys: string[] = [];
    const found = new Map<string, Vector>();
    const missing = new Map<string, string>();
    const add = (key: string, vector: Vector): void => {
      found.set(key, vector);
      this.#remember(key, vector);
    };
    for (const [at, text] of texts.entries()) {
      const key = await sha256(`${this.#embedding.id}\n${text}`);
      keys.push(key);
      const vector = this.#known.get(key) ?? (await this.#recall(key));
      if (vector === undefined) missing.set(key, text);
      else add(key, vector);
      if (at % LOOKED_UP_AT_ONCE === 0) await new Promise((resume) => setTimeout(resume));
    }
    const missed = [...missing.keys()];
    await embedTexts(this.#embedding.calls, [...missing.values()], (start, vectors) => {
      for (const [at, vector] of vectors.entries()) {
        const key = missed[start + at] ?? "";
        add(key, vector);
        void this.#keep(key, vector);
      }
    });
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  #remember(key: string, vector: Vector): void {
    this.#known.delete(key);
    this.#known.set(key, vector);
    const [oldest] = this.#known.keys();
    if (this.#known.size > LIMITS.soft.vectors && oldest !== undefined) this.#known.delete(oldest);
  }

  async #recall(key: string): Promise<Vector | undefined> {
    try {
      const numbers = await this.#embedding.cache?.get(key);
      return numbers == null ? undefined : toVector(numbers);
    } catch {
      return undefined;
    }
  }

  async #keep(key: string, vector: Vector): Promise<void> {
    try {
      await this.#embedding.cache?.set(key, Array.from(vector));
    } catch {
      // The vector stays in memory.
    }
  }

  /** The clauses of a message are ranked at the same time, and embedded with one call. */
  #embedQuery(text: string): Promise<Vector> {
    const { promise, resolve, reject } = Promise.withResolvers<Vector>();
    this.#waiting.push({ text, resolve, reject });
    if (this.#waiting.length === 1) setTimeout(() => void this.#embedWaiting());
    return promise;
  }

  async #embedWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const texts = waiting.map(({ text }) => text);
    try {
      await embedTexts(this.#embedding.calls, texts, (start, vectors) => {
        for (const [at, vector] of vectors.entries()) waiting[start + at]?.resolve(vector);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  #reportOnce(kind: string, message: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#report({
      code: "embedding-failed",
      severity: "warning",
      message: `${message} Skills are ranked by their words alone.`,
      fix: "Check the model of the option 'embedding', or increase its 'timeout'.",
    });
  }
}

/** The vectors of a skillset, once they are there. */
interface EmbeddedSet {
  readonly vectors: Promise<readonly Vector[]>;
  isDone: boolean;
  /** Whether a search gave up waiting. */
  isLate: boolean;
}

interface WaitingQuery {
  readonly text: string;
  readonly resolve: (vector: Vector) => void;
  readonly reject: (error: unknown) => void;
}

/** How many matches by words are fused. */
const SEARCHED = 100;
const LOOKED_UP_AT_ONCE = 256;
/** After a failure, the model is left alone for a while: every search would wait for it. */
const PAUSE_MILLISECONDS = 30_000;
