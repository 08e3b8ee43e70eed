import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { validate } from "skills-ref";
import { describe, expect, test } from "vitest";
import {
  type CreateSkillsetOptions,
  createSkillset,
  type Problem,
  type Skillset,
} from "../../packages/skillset/src/index.ts";

/** One folder per case, with one skill folder inside: the standard requires that a skill's name matches its folder. */
const FIXTURES = realpathSync(fileURLToPath(new URL("../fixtures/validator", import.meta.url)));
const BUNDLED = fileURLToPath(new URL("../../packages/skillset/skills", import.meta.url));
const POLICIES: readonly NonNullable<CreateSkillsetOptions["policy"]>[] = [
  "lenient",
  "standard",
  "reference",
  "strict",
];

/** Cases that both refuse, with all our errors and their lines and columns. Both accept cases that are in no table. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "bad-indentation": ["frontmatter-invalid-yaml 3:14"],
  "closing-is-dots": ["frontmatter-unclosed 1:1"],
  "closing-missing": ["frontmatter-unclosed 1:1"],
  "compatibility-501-characters": ["compatibility-too-long 4:1"],
  "compatibility-null": ["compatibility-not-a-string 4:1"],
  "compatibility-number": ["compatibility-not-a-string 4:1"],
  "control-in-frontmatter": ["frontmatter-invalid-yaml 3:22"],
  "crlf-field-unknown": ["field-unknown 6:1"],
  "description-1024-and-newline": ["description-too-long 3:1"],
  "description-1025-characters": ["description-too-long 3:1"],
  "description-blank": ["description-empty 3:1"],
  "description-empty": ["description-empty 3:1"],
  "description-missing": ["description-missing 2:1"],
  "duplicate-key": ["frontmatter-invalid-yaml 4:1"],
  "duplicate-key-nested": ["frontmatter-invalid-yaml 6:3"],
  "empty-file": ["frontmatter-missing 1:1"],
  "field-familiar": ["field-unknown 4:1"],
  "field-unknown": ["field-unknown 4:1"],
  "frontmatter-empty": ["frontmatter-not-a-mapping 2:1"],
  "invalid-escape": ["frontmatter-invalid-yaml 3:24"],
  "list-instead-of-mapping": ["frontmatter-not-a-mapping 2:1"],
  "name-65-characters": ["name-too-long 2:1"],
  "name-blank": ["name-empty 2:1"],
  "name-cyrillic-upper-case": ["name-uppercase 2:1"],
  "name-double-hyphen": ["name-double-hyphen 2:1"],
  "name-emoji": ["name-characters 2:1"],
  "name-empty": ["name-empty 2:1"],
  "name-folder-mismatch": ["name-folder-mismatch 2:1"],
  "name-leading-hyphen": ["name-edge-hyphen 2:1"],
  "name-missing": ["name-missing 2:1"],
  "name-trailing-hyphen": ["name-edge-hyphen 2:1"],
  "name-upper-case": ["name-uppercase 2:1"],
  "name-list": ["name-unusable 2:1"],
  "name-mapping": ["name-unusable 2:1"],
  "name-with-slash": ["name-unusable 2:1"],
  "name-zero-width": ["name-characters 2:1"],
  "name-with-space": ["name-characters 2:1"],
  "name-with-underscore": ["name-characters 2:1"],
  "name-without-value": ["name-empty 2:1"],
  "nul-in-frontmatter": ["nul-byte"],
  "opening-missing": ["frontmatter-missing 1:1"],
  "reserved-indicator": ["frontmatter-invalid-yaml 3:14"],
  "scalar-instead-of-mapping": ["frontmatter-not-a-mapping 2:1"],
  "several-errors": [
    "name-uppercase 2:1",
    "name-double-hyphen 2:1",
    "name-folder-mismatch 2:1",
    "description-too-long 3:1",
    "compatibility-not-a-string 4:1",
    "field-unknown 5:1",
  ],
  "skill-md-is-a-folder": ["skill-md-not-a-file"],
  "skill-md-missing": [], // A folder without a SKILL.md contains no skill, which is not an error of a skill.
  "space-forgotten": ["frontmatter-invalid-yaml 3:12"],
  "tab-indentation": ["frontmatter-invalid-yaml 5:1"],
  "unclosed-quote": ["frontmatter-invalid-yaml 4:1"],
  "unknown-tag": ["frontmatter-invalid-yaml 2:7"],
  "unquoted-colon": ["frontmatter-invalid-yaml 3:28"],
  utf16: ["encoding-not-utf8"],
};

interface Disagreement {
  readonly reference: "accepted" | "refused";
  readonly why: string;
}

/**
 * Intended differences from the npm package `skills-ref`. It is a port of the standard's Python validator, which reads YAML
 * with strictyaml: there every scalar is a string, and anchors, tags and flow mappings are errors. "Python" below means
 * that the original agrees with us.
 */
const deliberate: Readonly<Record<string, Disagreement>> = {
  "name-list-of-one": { reference: "accepted", why: "it turns the list into a text; a list is not a name" },
  anchor: { reference: "accepted", why: "anchors and aliases can blow a small file up; Python refuses them too" },
  "byte-order-mark": { reference: "refused", why: "editors on Windows write it, and it changes nothing" },
  "closing-with-four-hyphens": { reference: "accepted", why: "it splits at any '---'; only a line of three closes" },
  "compatibility-date": { reference: "refused", why: "it reads dates as YAML 1.1 did; Python reads a text" },
  "description-mapping": { reference: "accepted", why: "it checks the text '[object Object]'; Python refuses it" },
  "description-without-value": { reference: "accepted", why: "it checks the text 'null'; Python finds it empty" },
  "frontmatter-too-large": { reference: "accepted", why: "we read at most 16 KiB of an untrusted frontmatter" },
  "hyphens-before-name": { reference: "refused", why: "it splits at the '---' inside the description" },
  "hyphens-before-unknown-field": { reference: "accepted", why: "it splits at '---' and misses the fields below" },
  "latin1-description": { reference: "accepted", why: "it shows the model U+FFFD; Python cannot decode it either" },
  "merge-key": { reference: "accepted", why: "merging is YAML 1.1; '<<' is an unknown field" },
  "name-date": { reference: "refused", why: "it reads dates as YAML 1.1 did; Python reads a text" },
  "name-korean": { reference: "refused", why: "it knows Latin, Cyrillic and Chinese only; Python takes any letter" },
  "name-multiplication-sign": { reference: "accepted", why: "its range of Latin letters has × in it; Python refuses" },
  "name-null": { reference: "accepted", why: "it checks the text 'null'; for YAML 1.2 there is no value" },
  "name-number-exponent": { reference: "refused", why: "it compares the folder 1e3 with 1000; Python reads a text" },
  "nested-too-deep": { reference: "accepted", why: "we bound the depth of an untrusted frontmatter" },
  "opening-with-text": { reference: "accepted", why: "it takes '---' with anything behind it for the first line" },
  "skill-md-lower-case": { reference: "accepted", why: "the standard's file is SKILL.md; skill.md is another file" },
  "standard-tag": { reference: "accepted", why: "tags are a way to make a parser do things; Python refuses them too" },
  "zero-width-only": { reference: "accepted", why: "a description that nobody sees is empty" },
};

const cases = readdirSync(FIXTURES).map((name) => {
  const [skill, ...others] = readdirSync(join(FIXTURES, name));
  if (skill === undefined || others.length > 0) throw new Error(`${name} must contain one skill folder`);
  return { name, folder: join(FIXTURES, name, skill) };
});

describe("skills-ref and the policy 'reference'", () => {
  const agreed = cases.filter(({ name }) => !(name in deliberate));
  for (const { name, folder } of agreed) {
    const verdict = name in refused ? "refused" : "accepted";
    test(`${name} is ${verdict} by both`, async () => {
      const { theirs, ours, problems } = await judge(folder);
      expect({ theirs, ours }).toEqual({ theirs: verdict, ours: verdict });
      expect(problems.filter(isError).map(describeProblem)).toEqual(refused[name] ?? []);
    });
  }

  for (const [name, { reference, why }] of Object.entries(deliberate)) {
    test(`${name} is ${reference} by skills-ref alone: ${why}`, async () => {
      const folder = cases.find((one) => one.name === name)?.folder ?? "no such fixture";
      const { theirs, ours } = await judge(folder);
      expect({ theirs, ours }).toEqual({ theirs: reference, ours: reference === "accepted" ? "refused" : "accepted" });
    });
  }

  test("every case of the tables has a fixture, in one table only", () => {
    const names = [refused, deliberate].flatMap(Object.keys);
    expect(names.filter((name) => !cases.some((one) => one.name === name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

test.each(readdirSync(BUNDLED))("the bundled skill %s has no problem for either validator", async (name) => {
  const folder = join(BUNDLED, name);
  expect(await validate(folder)).toEqual([]);
  const { names, problems } = await createSkillset([folder], { policy: "strict" });
  expect({ names, problems }).toEqual({ names: [name], problems: [] });
});

describe("every policy", () => {
  test.each(cases)("$name is loaded or explained", async ({ folder }) => {
    for (const policy of POLICIES) {
      const { entries, problems } = await createSkillset([folder], { policy });
      const errors = problems.filter(isError);
      for (const { path, code } of problems) expect(path?.startsWith(folder), `${policy}: ${code}`).toBe(true);
      expect(errors.length > 0, policy).toBe(entries[0]?.status === "invalid");
    }
  });

  test.each(cases)("$name has problems that point into its frontmatter", async ({ folder }) => {
    const sets = await Promise.all(POLICIES.map((policy) => createSkillset([folder], { policy })));
    const problems = sets.flatMap((set) => set.problems).filter(({ code }) => !OF_THE_FILE.test(code));
    if (problems.length === 0) return;
    const lines = readFileSync(join(folder, "SKILL.md"), "utf8").split(/\r\n?|\n/);
    for (const { code, line = 0, column = 0 } of problems) {
      expect(lines[line - 1], code).toBeDefined();
      expect(column, code).toBeGreaterThanOrEqual(1);
      expect(column, code).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
    }
  });

  test.each(cases)("$name is accepted by all policies if 'strict' accepts it", async ({ folder }) => {
    const accepted = await Promise.all(
      POLICIES.map(async (policy) => isAccepted(await createSkillset([folder], { policy }))),
    );
    expect(accepted.at(-1) && accepted.includes(false)).toBe(false);
  });
});

/** Problems of the whole file have no line. */
const OF_THE_FILE = /^(?:skill-md|source|encoding|nul|link)-/;

async function judge(folder: string) {
  const [errors, set] = await Promise.all([validate(folder), createSkillset([folder], { policy: "reference" })]);
  const verdict = (accepted: boolean) => (accepted ? "accepted" : "refused");
  return { theirs: verdict(errors.length === 0), ours: verdict(isAccepted(set)), problems: set.problems };
}

function isAccepted({ entries }: Skillset): boolean {
  return entries[0]?.status === "enabled";
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

function describeProblem({ code, line, column }: Problem): string {
  return line === undefined ? code : `${code} ${line}:${column}`;
}
