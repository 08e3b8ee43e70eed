import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  createSkillset,
  defineSkill,
  type LedgerEntry,
  MemorySessionStore,
  type Session,
  type SessionStore,
  type Skillset,
  type SkillToolContext,
} from "../../packages/skillset/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const SESSIONS = Number(process.env.SOAK ?? 100);
const OPERATIONS = 100;
const STORED = ["one", "two", "three"] as const;

/** The ledger entries that an operation must add, without times and sizes. */
type Line = string;

interface Conversation {
  readonly session: Session;
  readonly expected: Line[];
  readonly active: Set<string>;
  /** Events that a listener of this session received. */
  readonly heard: Line[];
}

type Operation = (conversation: Conversation, random: () => number) => Promise<void>;

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;

// `expect` keeps every assertion until the end of a test, which would distort the memory measurement.

const succeeding: readonly Operation[] = [
  async ({ session, expected, active }, random) => {
    const name = pick([...STORED, "box"], random);
    const { text } = await session.activate(name);
    assert(text.includes(`# ${name}`));
    active.add(name);
    expected.push(`skill-activated ${name}`);
  },
  async ({ session, expected, active }, random) => {
    const name = pick([...STORED, "box"], random);
    const wasActive = active.delete(name);
    assert.equal(await session.deactivate(name), wasActive);
    if (wasActive) expected.push(`skill-deactivated ${name}`);
  },
  async ({ session, expected }, random) => {
    const name = pick(STORED, random);
    assert.equal((await session.files(name).read("references/a.md")).content, `A of ${name}`);
    expected.push(`file-read ${name}`);
  },
  async ({ session, expected }, random) => {
    const given = `${session.id} ${random()}`;
    assert.equal((await session.call("box", "echo", given)).value, given);
    expected.push("tool-called echo succeeded");
  },
];

const failing: readonly Operation[] = [
  async ({ session, expected }) => {
    const { message } = await failureOf(session.call("box", "fail", session.id));
    assert(message.endsWith(`no luck for ${session.id}`));
    expected.push("tool-called fail failed", "operation-failed call tool-failed");
  },
  async ({ session, expected }) => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await failureOf(session.call("box", "hang", session.id, { signal: controller.signal }));
    expected.push("tool-called hang failed", "operation-failed call tool-aborted");
  },
  async ({ session, expected }) => {
    await failureOf(session.call("box", "echo", {}, { signal: AbortSignal.abort() }));
    expected.push("tool-called echo failed", "operation-failed call tool-aborted");
  },
  async ({ session, expected }, random) => {
    await failureOf(session.files(pick(STORED, random)).read("references/a.md", { signal: AbortSignal.abort() }));
    expected.push("operation-failed read");
  },
  async ({ session, expected }, random) => {
    await failureOf(session.files("two").read(pick(["none.md", "../one/SKILL.md", "/etc/passwd"], random)));
    expected.push("operation-failed read");
  },
  async ({ session, expected }) => {
    const { message } = await failureOf(session.activate(`no-${session.id}`));
    assert(message.includes(`no-${session.id}`));
    expected.push("operation-failed activate");
  },
];

function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => assert.fail("it succeeded"),
    (error) => error,
  );
}

test(`a soak of ${SESSIONS} sessions over one skillset in parallel: no state crosses, and every ledger is correct`, {
  timeout: 600_000,
}, async () => {
  const skills = await loadSkills();
  const store = new MemorySessionStore();
  const entries = await soak(skills, store, { from: 0, sessions: SESSIONS });
  report("S15", {
    tried: "operations of parallel sessions",
    cases: SESSIONS * OPERATIONS,
    through: 0,
    note: `a soak of ${SESSIONS} parallel sessions with ${OPERATIONS} operations each, half of them failing or aborted: ${entries} ledger entries`,
  });
});

test("sessions leave nothing in memory", { timeout: 600_000 }, async () => {
  const skills = await loadSkills();
  const sessions = Math.max(20, Math.ceil(SESSIONS / 10));
  const used: number[] = [];
  for (let round = 0; round < 6; round++) {
    await soak(skills, new MemorySessionStore(), { from: round * sessions, sessions });
    used.push(await usedBytes());
  }
  // The first rounds still compile code and fill caches.
  const [before = 0, after = 0] = [Math.min(...used.slice(1, 3)), Math.min(...used.slice(4))];
  const calls = 3 * sessions * OPERATIONS;
  const growth = after - before;
  console.log(`soak: ${used.map((bytes) => (bytes / 1e6).toFixed(1)).join(", ")} MB in use after each round`);
  expect(growth, `${growth} bytes more after ${calls} operations`).toBeLessThan(1e6 + 50 * calls);
});

test("a long-lived signal keeps nothing of the calls that used it", { timeout: 600_000 }, async () => {
  const skills = await loadSkills();
  const { signal } = new AbortController();
  const calls = 4_000;
  const used: number[] = [];
  for (let round = 0; round < 4; round++) {
    const session = await skills.session();
    for (let done = 0; done < calls; done++) await session.call("box", "echo", done, { signal });
    used.push(await usedBytes());
  }
  const growth = (used.at(-1) ?? 0) - (used[0] ?? 0);
  expect(signal.aborted).toBe(false);
  expect(growth, `${growth} bytes more after ${3 * calls} calls`).toBeLessThan(1e6 + 50 * 3 * calls);
});

test("a listener that throws, immediately or later, breaks neither the session nor the program", () => {
  const entry = fileURLToPath(new URL("../../packages/skillset/src/index.ts", import.meta.url));
  const program = `
    import { createSkillset, defineSkill } from ${JSON.stringify(entry)};
    const skills = await createSkillset([defineSkill({ name: "box", description: "Has nothing.", body: "x" })]);
    const session = await skills.session();
    session.ledger.on("skill-activated", () => { throw new Error("at once"); });
    session.ledger.on("skill-activated", async () => { throw new Error("later"); });
    await session.activate("box");
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(session.active.join());`;
  const args = ["--input-type=module", "-e", program];
  expect(execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe", timeout: 20_000 })).toBe("box\n");
});

/** Runs conversations in parallel and checks each; returns the number of ledger entries. */
async function soak(
  skills: Skillset,
  store: SessionStore,
  { from, sessions }: { from: number; sessions: number },
): Promise<number> {
  const ids = Array.from({ length: sessions }, (_, index) => `session-${from + index}`);
  const conversations = await Promise.all(ids.map((id) => converse(skills, store, id)));
  for (const { session, expected, active, heard } of conversations) {
    assert.deepEqual(session.ledger.entries.map(toLine), expected);
    assert.deepEqual(heard, expected);
    assert.deepEqual(session.active, [...active]);
    const again = await skills.session({ id: session.id, store });
    assert.deepEqual(again.active, [...active]);
    assert.deepEqual(again.ledger.entries, []);
  }
  return conversations.reduce((sum, { expected }) => sum + expected.length, 0);
}

async function converse(skills: Skillset, store: SessionStore, id: string): Promise<Conversation> {
  const random = randomFrom(id);
  const session = await skills.session({ id, store });
  const conversation: Conversation = { session, expected: [], active: new Set(), heard: [] };
  for (const type of LISTENED) {
    session.ledger.on(type, (entry) => {
      conversation.heard.push(toLine(entry));
      throw new Error("a listener that always throws");
    });
  }
  for (let done = 0; done < OPERATIONS; done++) {
    const operation = pick(done % 2 === 0 ? succeeding : failing, random);
    await operation(conversation, random);
    if (random() < 0.3) await nextTurn();
  }
  return conversation;
}

const LISTENED = [
  "skill-activated",
  "skill-deactivated",
  "file-read",
  "tool-called",
  "operation-failed",
] as const satisfies readonly LedgerEntry["type"][];

function toLine(entry: LedgerEntry): Line {
  switch (entry.type) {
    case "tool-called":
      return `${entry.type} ${entry.tool} ${entry.outcome}`;
    case "operation-failed":
      return entry.operation === "call" ? `${entry.type} call ${entry.code}` : `${entry.type} ${entry.operation}`;
    case "skills-offered":
    case "skills-searched":
    case "skills-suggested":
    case "suggestion-failed":
      return entry.type;
    default:
      return `${entry.type} ${entry.skill}`;
  }
}

function loadSkills(): Promise<Skillset> {
  const files = STORED.flatMap((name) => [
    [`${name}/SKILL.md`, skillMd(name)],
    [`${name}/references/a.md`, `A of ${name}`],
  ]);
  const hang = (_: unknown, { signal }: SkillToolContext): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const box = defineSkill({
    name: "box",
    description: "Has tools.",
    body: "# box",
    tools: [
      {
        name: "echo",
        description: "Returns its input after a short delay.",
        handler: async (input) => {
          await nextTurn();
          return input;
        },
      },
      {
        name: "fail",
        description: "Fails.",
        handler: async (input) => {
          await nextTurn();
          throw new Error(`no luck for ${input}`);
        },
      },
      { name: "hang", description: "Ends when cancelled.", handler: hang },
    ],
  });
  return createSkillset([temporaryFolder(Object.fromEntries(files)), box]);
}

/** Returns the same numbers for the same seed, so that a failure can be reproduced. */
function randomFrom(seed: string): () => number {
  let state = [...seed].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, 7);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

async function usedBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    await nextTurn();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
