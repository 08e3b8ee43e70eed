import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import { createSkillset } from "../load/create-skillset.ts";

const VALID = [
  "requires: git, sh no-such-program-x",
  'os: "linux, macos"',
  'node: ">=20 <99"',
  'python: ">=3.10,<4"',
  'packages: "pip:numpy npm:sharp>=0.33"',
  "env: HOME, NOT_HERE",
  'requires-skills: "s-1, s-2"',
];

/** What authors, and attackers, write instead. */
const ODD = [
  "[a, b]",
  "[[a], {b: c}]",
  "{ bins: [git] }",
  "null",
  "~",
  "",
  "true",
  "1e999",
  "-0",
  ">=",
  "|| ||",
  "^".repeat(300),
  "9".repeat(400),
  "../../etc/passwd",
  "; rm -rf /",
  "$(id)",
  "a".repeat(5_000),
  Array(100).fill("x").join(","),
  "\\u0000",
  '"\\u202e"',
  "__proto__",
  "constructor",
  "s-0",
  "'",
  "- a",
  "&a *a",
  "!!js/function x",
  "🐍 >=3",
];

const block = fc
  .array(
    fc.oneof(
      fc.constantFrom(...VALID),
      fc
        .tuple(fc.constantFrom(...VALID), fc.constantFrom(...ODD))
        .map(([line, odd]) => `${line.slice(0, line.indexOf(":") + 1)} ${odd}`),
      fc
        .tuple(fc.constantFrom(...VALID), fc.nat(30), fc.string({ maxLength: 6, unit: "binary" }))
        .map(([line, at, text]) => line.slice(0, at) + text + line.slice(at)),
      fc.tuple(fc.constantFrom(...VALID), fc.nat(30)).map(([line, at]) => line.slice(0, at)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => lines.map((line) => `  ${line}`).join("\n"));

test("of 500 skills with mutated requirements, none crashes the load, and none vanishes without a reason", async () => {
  const blocks = fc.sample(block, { numRuns: 500, seed: 19 });
  const folder = temporaryFolder();
  const files = blocks.map((lines, index): [string, string] => [
    `s-${index}/SKILL.md`,
    `---\nname: s-${index}\ndescription: Does it.\nmetadata:\n${lines}\n---\nDo it.\n`,
  ]);
  writeFiles(folder, Object.fromEntries(files));
  const { entries, names, problems } = await createSkillset(folder, { onProblem: ignoreProblem });
  expect(entries.map(({ name }) => name).toSorted()).toEqual(blocks.map((_, index) => `s-${index}`).toSorted());
  const statuses = new Map<string, number>();
  for (const entry of entries) {
    statuses.set(entry.status, (statuses.get(entry.status) ?? 0) + 1);
    if (entry.status === "enabled") continue;
    expect(entry.reason, entry.name).not.toBe("");
    if (entry.status === "unavailable")
      expect(
        entry.unmet.every(({ reason, fix }) => reason !== "" && fix !== ""),
        entry.name,
      ).toBe(true);
  }
  expect(names.length).toBe(statuses.get("enabled"));
  // The mutations reach both outcomes.
  for (const status of ["enabled", "unavailable"]) expect(statuses.get(status), status).toBeGreaterThan(10);
  expect(problems.filter(({ code }) => code === "requirement-invalid").length).toBeGreaterThan(100);
  expect(problems.every(({ fix }) => fix !== undefined && fix !== "")).toBe(true);
});
