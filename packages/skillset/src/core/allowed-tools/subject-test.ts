/** Tests the subject of a call. */
export interface SubjectTest {
  /** Whether it certainly matches. */
  certain(subject: string): boolean;
  /** Whether it might match. */
  possible(subject: string): boolean;
}

export function exactly(test: (subject: string) => boolean): SubjectTest {
  return { certain: test, possible: test };
}

export const NOTHING: SubjectTest = exactly(() => false);
