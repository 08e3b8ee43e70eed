import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { parseSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import type { Skill } from "../../packages/skillset/src/core/skill/skill.ts";
import { findTriggers } from "../../packages/skillset/src/core/trigger/find-triggers.ts";
import { loadPatterns } from "../../packages/skillset/src/core/trigger/patterns.ts";
import { lintTriggers } from "../../packages/skillset/src/node/lint/lint-triggers.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

/** Expressions that take exponential or polynomial time in an engine that backtracks. */
const SHAPES = [
  "^(X+)+$",
  "^(X*)*b$",
  "^(X|X)+$",
  "^(X|XX)+$",
  "^(X|X?)+b$",
  "^((X+)+)+$",
  "^(X+)*=",
  "^(X+X+)+b",
  "^X*X*X*X*X*X*b",
  "^(?:(?:X|X)*(?:X|X)*)*b",
];
const ATOMS = [
  "a",
  "[a-z]",
  String.raw`\w`,
  ".",
  "(a)",
  "(?:a)",
  String.raw`\S`,
  "[^b]",
  "(?:a|[a-c])",
  String.raw`\p{L}`,
];
const CATASTROPHIC = SHAPES.flatMap((shape) => ATOMS.map((atom) => shape.replaceAll("X", atom)));

const skillMd = (patterns: readonly string[]) =>
  [
    "---",
    "name: a",
    "description: Does.",
    "triggers:",
    "  patterns:",
    ...patterns.map((one) => `    - ${JSON.stringify(one)}`),
    "---",
    "Do it.",
  ].join("\n");

test("S9: 100 catastrophic patterns finish on 100 KB", async () => {
  const text = `${"a".repeat(100_000)}!`;
  const compile = await loadPatterns();
  const refused = CATASTROPHIC.filter((pattern) => "fault" in compile(pattern));
  // Linear in its size too, which is therefore limited.
  expect(compile("a[ab]{300}c")).toEqual({ fault: expect.stringContaining("instructions") });
  for (const pattern of CATASTROPHIC) {
    const skill = parseSkillMd(skillMd([pattern])) as object as Skill;
    expect(skill.triggers?.patterns).toEqual([pattern]);
    await findTriggers([skill], text);
  }
  const stuck = await Promise.all(CATASTROPHIC.filter((_, index) => index % 25 === 0).map(hangs));
  report("S9", {
    tried: "catastrophic patterns on 100 KB",
    cases: CATASTROPHIC.length,
    through: 0,
    control: "a backtracking engine hangs on 40 characters",
    note: `${refused.length} refused; the backtracking engine hangs on ${stuck.filter(Boolean).length} of ${stuck.length}`,
  });
  expect(CATASTROPHIC).toHaveLength(100);
  expect(stuck).toContain(true);
}, 60_000);

/** Whether JavaScript's own engine is still busy with 40 characters after half a second. */
async function hangs(pattern: string): Promise<boolean> {
  const code = `new RegExp(${JSON.stringify(pattern)}, "iu").test("a".repeat(40) + "!")`;
  const worker = new Worker(code, { eval: true });
  const ended = once(worker, "exit").then(() => false);
  const isStuck = await Promise.race([ended, setTimeout(500, true)]);
  await worker.terminate();
  return isStuck;
}

test("S9: patterns within all limits never block the program", async () => {
  const patterns = Array.from({ length: 50 }, (_, index) => `a[ab]{${40 + (index % 15)}}c${index}`);
  const classes = Array.from({ length: 20 }, (_, index) => `${String.raw`\pL`.repeat(160)}${index}`);
  const skills = [...Array(5).fill(patterns), ...Array(5).fill(classes)].map((one, index) => {
    const skill = parseSkillMd(skillMd(one)) as object as Skill;
    return { ...skill, name: `a${index}` };
  });
  // Without a regularity that an engine could remember.
  const text = Array.from({ length: 100_000 }, (_, index) => "ab"[(Math.imul(index, 2_654_435_761) >>> 13) & 1]).join(
    "",
  );
  const search = () => findTriggers(skills, text);
  await search();
  const [longest] = await watchTurns(search);
  // A busy machine has fewer turns in the same time.
  const [, turns] = await withClock(1, () => watchTurns(search));
  expect(turns).toBeGreaterThan(5);
  // Also within a skill.
  const [, turnsOfOne] = await withClock(1, () => watchTurns(() => findTriggers(skills.slice(0, 1), text)));
  expect(turnsOfOne).toBeGreaterThan(5);
  // The same patterns, one after the other, on as much of the message as was searched before.
  const compile = await loadPatterns();
  const tests = patterns.map((one) => compile(one));
  const [naive, naiveTurns] = await watchTurns(async () => {
    for (const one of tests) if ("test" in one) one.test(text.slice(0, 65_536));
  });
  expect(naiveTurns).toBeLessThan(3);
  report("S9", {
    tried: "patterns within all limits, in one message",
    cases: 5 * (patterns.length + classes.length),
    through: 0,
    control: `without pauses one skill blocks for ${Math.round(naive)} ms`,
    note: `the longest block is ${Math.round(longest)} ms`,
  });
}, 120_000);

test("S9: patterns that come after the time for all of them are not tried", async () => {
  const define = (name: string, pattern: string) =>
    ({ ...(parseSkillMd(skillMd([pattern])) as object as Skill), name }) satisfies Skill;
  const others = Array.from({ length: 200 }, (_, index) => define(`other-${index}`, `never${index}`));
  const first = define("first", "milk");
  const last = define("last", "tea");
  const skills = [first, ...others, last];
  const find = async () => (await findTriggers(skills, "tea with milk")).map(({ skill }) => skill.name);
  expect(await find()).toEqual(["first", "last"]);
  // By this clock, each pattern takes ten milliseconds.
  expect(await withClock(10, find)).toEqual(["first"]);
});

/** Runs work with a clock that advances by some milliseconds each time that it is read. */
async function withClock<Result>(step: number, work: () => Promise<Result>): Promise<Result> {
  let time = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    time += step;
    return time;
  });
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

/** Returns the longest time between two turns of the event loop during the work, and how many there were. */
async function watchTurns(work: () => Promise<unknown>): Promise<readonly [longest: number, turns: number]> {
  let [longest, turns, last, isOver] = [0, 0, performance.now(), false];
  const note = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    turns++;
    if (!isOver) setImmediate(note);
  };
  setImmediate(note);
  await setTimeout(1);
  [longest, turns] = [0, 0];
  await work();
  isOver = true;
  await setTimeout(1);
  note();
  return [longest, turns];
}

const CASES = Math.min(Number(process.env.CASES ?? 200), 1_000);

test(`S9: ${CASES} hostile patterns compile, or are refused with their line`, async () => {
  const patterns = hostilePatterns(CASES);
  const compile = await loadPatterns();
  const usable = new Set(patterns.filter((pattern) => "test" in compile(pattern)));
  let refused = 0;
  for (let start = 0; start < patterns.length; start += 50) {
    const some = patterns.slice(start, start + 50);
    const root = temporaryFolder({ "a/SKILL.md": skillMd(some) });
    const { skills, problems } = await createSkillset([root]);
    expect(skills).toHaveLength(1);
    const found = [...problems, ...(await lintTriggers({ folder: `${root}/a`, name: "a" }))];
    const lines = found.filter(({ code }) => code.startsWith("trigger")).map(({ line }) => line);
    const faulty = some.flatMap((pattern, index) => (pattern.length > 512 || !usable.has(pattern) ? [index + 6] : []));
    expect(lines.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(faulty);
    refused += faulty.length;
  }
  report("S9", {
    tried: "hostile patterns, compiled or refused with their line",
    cases: patterns.length,
    through: 0,
    note: `${refused} refused`,
  });
  expect(refused).toBeGreaterThan(CASES / 10);
}, 120_000);

/** Different texts of metacharacters, nested repetitions, deep groups and long classes. */
function hostilePatterns(count: number): readonly string[] {
  let seed = 9;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  const pick = (from: readonly string[]): string => from[random(from.length)] ?? "";
  const pieces = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "+",
    "?",
    "|",
    "^",
    "$",
    ".",
    "a",
    "b",
    "\\",
    "\\p{L}",
    "\\b",
    "{9}",
  ];
  const more = [
    "{1,99}",
    "{999}",
    "(?i)",
    "(?P<x>",
    "(?<=a)",
    "(?!a)",
    "\\1",
    "[^",
    "\u0130",
    "\u{1F600}",
    "\\C",
    "\\pN",
  ];
  const made = new Set<string>();
  while (made.size < count) {
    const number = made.size;
    const depth = 1 + random(250);
    const kinds = [
      () => Array.from({ length: 1 + random(60) }, () => pick([...pieces, ...more])).join(""),
      () => `${"(".repeat(depth)}a${")".repeat(depth)}${number}`,
      () => `${"(?:".repeat(6)}a${`){${1 + random(40)}}`.repeat(6)}${number}`,
      () => `(?:${"a?".repeat(random(200))}){${random(50)}}${number}`,
      () => `${"a|".repeat(random(250))}${number}`,
      () => `[${"\\p{L}\\P{N}".repeat(random(40))}${number}]{1,${random(200)}}`,
      () => `${"a*".repeat(random(400))}${number}`,
    ];
    const text = (kinds[random(kinds.length)] ?? String)(number as never).trim();
    if (text !== "") made.add(text);
  }
  return [...made];
}
