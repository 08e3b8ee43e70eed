// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays themselves.

import type { TimeSlices } from "../base/time-slices.ts";
import type { Skill } from "../skill/skill.ts";
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
}

export interface IndexedSkills {
  readonly segment: Segment;
  /** The places of the skills, by the numbers of their documents in the segment. */
  readonly places: readonly number[];
  /** The places of the skills whose instructions could not be read. */
  readonly unreadable: ReadonlySet<number>;
}

/** Indexes skills, in slices. */
export async function indexSkills(
  skills: readonly Skill[],
  { seed, body: withBody, slices, signal }: IndexSkillsOptions,
): Promise<IndexedSkills> {
  const counter = new TermCounter(seed, { pairs: true });
  const builder = new SegmentBuilder();
  const places: number[] = [];
  const unreadable = new Set<number>();
  let counted = Promise.resolve();
  const count = async (place: number, texts: readonly string[]): Promise<void> => {
    const steps = counter.countInSteps(texts);
    let step = steps.next();
    for (; !step.done; step = steps.next()) if (slices.isOver()) await slices.next();
    places.push(place);
    builder.add(step.value);
  };
  const add = async (place: number, texts: readonly string[]): Promise<void> => {
    // Several skills are read at once, but only one is counted.
    counted = counted.then(() => count(place, texts));
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
  return { segment: await builder.finish(counter.end(), slices), places, unreadable };
}
