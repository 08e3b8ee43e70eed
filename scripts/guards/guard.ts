/** One guard of a security requirement, the change that disables it, and the test that must notice. */
export interface Guard {
  readonly name: string;
  readonly requirement: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly broken: string;
  readonly test: string;
  /** The start of the test's title, if one test of the file is enough. */
  readonly title?: string;
  /** Whether the test starts programs from the built package. */
  readonly needsBuild?: boolean;
}

type Row = readonly [
  name: string,
  requirement: string,
  file: string,
  text: string,
  broken: string,
  test: string,
  more?: Pick<Guard, "title" | "needsBuild">,
];

/** Paths of files are relative to the folder, those of tests too unless they start with `test/`. */
export function guardsIn(folder: string, rows: readonly Row[]): readonly Guard[] {
  return rows.map(([name, requirement, file, text, broken, test, more]) => ({
    name,
    requirement,
    file: `${folder}/${file}`,
    text,
    broken,
    test: test.startsWith("test/") ? test : `${folder}/${test}`,
    ...more,
  }));
}
