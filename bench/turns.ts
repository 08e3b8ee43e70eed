import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type * as Library from "skillset";
import { median } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

type Messages = Parameters<Library.Session["turn"]>[0];

/** A request that is prepared again and again. */
interface Situation {
  readonly name: string;
  /** Returns what prepares it once, and its messages. */
  start(library: typeof Library): Promise<{ readonly messages: Messages; prepare(): Promise<string> }>;
}

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "400" }, against: { type: "string" }, out: { type: "string" } },
});
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) {
  console.error("usage: npx node bench/turns.ts [--rounds 400] [--against BUILT-CHECKOUT] [--out FILE.md]");
  process.exit(1);
}
const warmUp = 50;
const NAMES = ["tea", "coffee", ...Array.from({ length: 28 }, (_, at) => `skill-${at}`)];

const SITUATIONS: readonly Situation[] = [
  { name: "first request, 1 message", start: firstRequests },
  { name: "later request, 41 messages", start: (library) => laterRequests(library, 41) },
  { name: "later request, 401 messages", start: (library) => laterRequests(library, 401) },
  { name: "41 messages, 20 with notices", start: withNotices },
  { name: "a message that invokes a skill", start: invocations },
];

const ours: typeof Library = await import("skillset");
const other = values.against === undefined ? undefined : await importFrom(values.against);
const measured: Measured[] = [];
for (const situation of SITUATIONS) measured.push(await measure(situation));
const report = writeReport(measured);
console.log(report);
if (values.out !== undefined) writeSection(values.out, "turns", report);

async function importFrom(checkout: string): Promise<typeof Library> {
  return import(pathToFileURL(resolve(join(checkout, "packages/skillset/dist/index.js"))).href);
}

async function openSession({ createSkillset, defineSkill }: typeof Library): Promise<Library.Session> {
  const skills = NAMES.map((name) =>
    defineSkill({
      name,
      description: `Makes ${name}. Use when asked for ${name}.`,
      body: `Steep ${name}.\n`.repeat(20),
    }),
  );
  return (await createSkillset(skills)).session();
}

function history(length: number): Messages {
  return Array.from({ length }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    text: `Message ${at}: ${"some words about tea and time. ".repeat(8)}`,
  }));
}

async function firstRequests(library: typeof Library) {
  const messages = history(1);
  const sessions = await openSessions(library, rounds + warmUp);
  return { messages, prepare: async () => instructionsOf(await sessions.pop()?.turn(messages)) };
}

async function laterRequests(library: typeof Library, length: number) {
  const messages = history(length);
  const session = await openSession(library);
  await session.turn(messages.slice(0, 1));
  return { messages, prepare: async () => instructionsOf(await session.turn(messages)) };
}

/** Each second message of the user comes with a notice: the active skills have changed. */
async function withNotices(library: typeof Library) {
  const messages = history(41);
  const session = await openSession(library);
  for (let length = 1; length < messages.length; length += 2) {
    const name = NAMES[Math.floor(length / 2)] ?? "";
    if (!(await session.deactivate(name))) await session.activate(name);
    await session.turn(messages.slice(0, length));
  }
  return { messages, prepare: async () => instructionsOf(await session.turn(messages)) };
}

async function invocations(library: typeof Library) {
  const messages: Messages = [{ role: "user", text: "/tea green, please" }];
  const sessions = await openSessions(library, rounds + warmUp);
  return { messages, prepare: async () => instructionsOf(await sessions.pop()?.turn(messages)) };
}

async function openSessions(library: typeof Library, count: number): Promise<Library.Session[]> {
  const sessions: Library.Session[] = [];
  for (let index = 0; index < count; index++) sessions.push(await openSession(library));
  return sessions;
}

function instructionsOf(turn: Library.Turn | undefined): string {
  if (!turn?.instructions.includes("Makes tea.")) throw new Error("A turn had no catalog.");
  return turn.instructions;
}

interface Measured {
  readonly name: string;
  /** In microseconds. */
  readonly ours: number;
  readonly limit: number;
  readonly other: number | undefined;
}

/** Interleaved, with another one first in each round, so that a slow moment of the machine affects all equally. */
async function measure({ name, start }: Situation): Promise<Measured> {
  const own = await start(ours);
  const before = other && (await start(other));
  const ways: (() => unknown)[] = [
    own.prepare,
    () => JSON.stringify(own.messages),
    ...(before ? [before.prepare] : []),
  ];
  const times: number[][] = ways.map(() => []);
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let step = 0; step < ways.length; step++) {
      const index = (round + step) % ways.length;
      const begun = performance.now();
      await ways[index]?.();
      if (round >= warmUp) times[index]?.push((performance.now() - begun) * 1_000);
    }
  }
  const [mine = 0, limit = 0, theirs] = times.map((all) => median(all));
  return { name, ours: mine, limit, other: theirs };
}

function writeReport(measured: readonly Measured[]): string {
  const others = other === undefined ? [] : ["ratio to the other checkout"];
  const rows = measured.map((one) => {
    const ratio = one.other === undefined ? [] : [(one.ours / one.other).toFixed(2)];
    return `| ${[one.name, one.ours.toFixed(0), (one.ours / one.limit).toFixed(0), ...ratio].join(" | ")} |`;
  });
  return [
    `${NAMES.length} skills, Node ${process.versions.node}, ${cpus().length} cores; one process, p50 of ${rounds} interleaved rounds after ${warmUp} to warm up.`,
    "",
    `| ${["request", "µs", "ratio to JSON.stringify of its messages", ...others].join(" | ")} |`,
    `| --- | ---: | ---: |${others.map(() => " ---: |").join("")}`,
    ...rows,
  ].join("\n");
}
