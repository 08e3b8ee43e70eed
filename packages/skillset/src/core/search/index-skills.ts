// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import type { Skill } from "../skill/skill.ts";
import { sha256 } from "../text/sha256.ts";
import { searchedTexts } from "./fields.ts";
import { readBodies, type SkillBody } from "./read-bodies.ts";
import { type Segment, SegmentBuilder } from "./segment.ts";
import { TermCounter } from "./term-counter.ts";
import type { HashSeed } from "./term-table.ts";

export interface IndexSkillsOptions {
  readonly seed: HashSeed;
  readonly body: boolean;
  readonly slices: TimeSlices;
  readonly signal: AbortSignal | undefined;
  /** Called with the digest of a skill's texts. Returns whether they are indexed already. */
  readonly isKnown?: ((place: number, digest: string) => boolean) | undefined;
}

export interface IndexedSkills {
  readonly segment: Segment;
  /** The documents of the segment, by number. */
  readonly documents: readonly { readonly place: number; readonly digest: string | undefined }[];
  /** The places of the skills whose instructions could not be read. */
  readonly unreadable: ReadonlySet<number>;
}

/** Indexes skills, in slices. */
export async function indexSkills(
  skills: readonly Skill[],
  { seed, body: withBody, slices, signal, isKnown }: IndexSkillsOptions,
): Promise<IndexedSkills> {
  const counter = new TermCounter(seed, { pairs: true });
  const builder = new SegmentBuilder();
  const documents: { place: number; digest: string | undefined }[] = [];
  const unreadable = new Set<number>();
  let counted = Promise.resolve();
  const count = async (place: number, digest: string | undefined, texts: readonly string[]): Promise<void> => {
    const steps = counter.countInSteps(texts);
    let step = steps.next();
    for (; !step.done; step = steps.next()) if (slices.isOver()) await slices.next();
    documents.push({ place, digest });
    builder.add(step.value);
  };
  const add = async (place: number, texts: readonly string[]): Promise<void> => {
    const digest = isKnown && (await digestOf(texts));
    if (digest !== undefined && isKnown?.(place, digest)) return;
    // Several skills are read at once, but only one is counted.
    counted = counted.then(() => count(place, digest, texts));
    await counted;
  };
  const addWithBody = (place: number, body: SkillBody): Promise<void> => {
    if (body === undefined) unreadable.add(place);
    return add(place, searchedTexts(skills[place]!, body ?? ""));
  };
  if (withBody) await readBodies(skills, addWithBody, { slices, signal });
  else {
    for (const [place, skill] of skills.entries()) {
      await add(place, searchedTexts(skill));
      if (slices.isOver()) await slices.next();
    }
  }
  return { segment: await builder.finish(counter.end(), slices), documents, unreadable };
}

/** The lengths keep two lists of texts from having one digest. */
function digestOf(texts: readonly string[]): Promise<string> {
  return sha256(texts.map((text) => `${text.length} ${text}`).join(""));
}
