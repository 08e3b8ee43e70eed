import type { TimeSlices } from "../base/time-slices.ts";
import type { Skill } from "../skill/skill.ts";

/** The instructions of a skill, or undefined if they cannot be read now. */
export type SkillBody = string | undefined;

export interface ReadBodiesOptions {
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the instructions of skills, several at once, and passes on each as soon as it is read, with its place. */
export async function readBodies(
  skills: readonly Skill[],
  onBody: (place: number, body: SkillBody) => Promise<void>,
  { slices, signal }: ReadBodiesOptions,
): Promise<void> {
  const waiting = skills.entries();
  const readRest = async (): Promise<void> => {
    for (const [place, skill] of waiting) {
      // Skills in folders are read in the calling thread, so every read takes its part of the slice.
      if (slices.isOver()) await slices.next();
      signal?.throwIfAborted();
      const body = await readBody(skill, signal);
      if (slices.isOver()) await slices.next();
      await onBody(place, body);
    }
  };
  await Promise.all(Array.from({ length: Math.min(READS_AT_ONCE, skills.length) }, readRest));
}

const READS_AT_ONCE = 16;

async function readBody(skill: Skill, signal: AbortSignal | undefined): Promise<SkillBody> {
  // Searching does not fetch skills from another program.
  if (skill.isRemote) return "";
  try {
    return await skill.instructions(signal && { signal });
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
