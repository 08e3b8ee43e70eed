// Streams answers to many users at once, next to a bare route:
// `npx node bench/chat-load.ts [--chats 200] [--rounds 3] [--out FILE.md]`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hasPostgres, startPostgres } from "../apps/chat/server/testing/postgres-server.ts";
import type { Memory } from "./mcp-memory.ts";
import { lastLine, skillName, writeSkills } from "./mcp-skills.ts";
import type { ProcessUse } from "./report-process.ts";
import { writeSection } from "./write-section.ts";

const { values } = parseArgs({
  options: {
    chats: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    out: { type: "string" },
  },
});
const [atOnce, rounds] = [Number(values.chats), Number(values.rounds)];
if (!(atOnce >= 1 && atOnce <= 1_000 && rounds >= 1 && rounds <= 20)) {
  console.error("usage: node bench/chat-load.ts [--chats 1…1000] [--rounds 1…20] [--out FILE.md]");
  process.exit(1);
}
/** Nothing here takes longer unless it hangs. */
const deadline = AbortSignal.timeout(900_000);
const WARM_UP = 30;
const SKILLS = 20;
const IDLE = 20_000;

interface Server {
  readonly name: string;
  readonly url: string;
  readonly child: ChildProcess;
  /** The bare route has no chats: it answers, and forgets. */
  readonly hasChats: boolean;
  readonly alone: Figures[];
  readonly together: Figures[];
  readonly memory: Memory[];
}

interface Figures {
  readonly answers: number;
  readonly errors: number;
  /** Milliseconds from the request to the first word. */
  readonly firstWords: readonly number[];
  readonly seconds: number;
  /** Milliseconds of the server's process. */
  readonly cpu: number;
}

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
const postgres = hasPostgres ? await startPostgres() : undefined;
const servers: Server[] = [];
try {
  const skills = writeSkills(join(folder, "skills"), SKILLS);
  const config = join(folder, "config.toml");
  writeFileSync(
    config,
    `[server]\nport = 0\n[limits]\nrequests_per_minute = 10000000\nanswers_per_minute = 1000000\nanswers_at_once = ${atOnce}
answers_per_client = ${atOnce}\n[app.skills]\nenabled = true\ndirectories = [${JSON.stringify(skills)}]\n`,
  );
  servers.push(await start("bare route", "chat-bare.ts", skills));
  if (postgres !== undefined) {
    servers.push(await start("chat on PostgreSQL", "chat-serve.ts", config, { DATABASE_URL: postgres.url }));
  }
  servers.push(await start("chat on PGlite", "chat-serve.ts", config, { DATA_DIR: join(folder, "data") }));
  for (const server of servers) {
    await converse(server, 1, WARM_UP);
    await converse(server, Math.min(atOnce, WARM_UP), 2);
    server.memory.push(await read(server, "memory"));
  }
  // Alternating, because other programs may be busy at one time and not at another.
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      server.alone.push(await converse(server, 1, Math.ceil(atOnce / rounds)));
      server.together.push(await converse(server, atOnce, 1));
      server.memory.push(await read(server, "memory"));
      console.error(`${server.name}: round ${round + 1} of ${rounds}`);
    }
  }
  // An idle process returns memory to the system.
  await pause(IDLE);
  for (const server of servers) server.memory.push(await read(server, "memory"));
  const database = await start("database alone", "chat-database.ts", join(folder, "alone"));
  servers.push(database);
  report(servers, await read(database, "memory"));
} finally {
  await Promise.all(servers.map(stop));
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
}

async function start(
  name: string,
  script: string,
  argument: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const env = { PATH: process.env.PATH, HOME: folder, ...environment };
  const child = fork(fileURLToPath(new URL(`./${script}`, import.meta.url)), [argument], { env });
  const [url] = (await once(child, "message", { signal: deadline })) as [string];
  return { name, url, child, hasChats: script === "chat-serve.ts", alone: [], together: [], memory: [] };
}

async function stop({ child }: Server): Promise<void> {
  child.disconnect();
  await once(child, "exit");
}

/** Simulates this many users at once, each in a separate chat, with this many messages one after the other. */
async function converse(server: Server, people: number, messages: number): Promise<Figures> {
  const { url, hasChats } = server;
  const firstWords: number[] = [];
  let errors = 0;
  const ids: string[] = [];
  if (hasChats) for (let chat = 0; chat < people * messages; chat++) ids.push(await create(url));
  const talk = async (_: unknown, person: number): Promise<void> => {
    for (let message = 0; message < messages; message++) {
      const id = ids[person * messages + message];
      try {
        firstWords.push(await ask(new URL(id === undefined ? "turn" : `api/chats/${id}/turn`, url)));
      } catch (error) {
        if (errors++ === 0) console.error(error);
      }
    }
  };
  const before = await read(server, "cpu");
  const start = performance.now();
  await Promise.all(Array.from({ length: people }, talk));
  const seconds = (performance.now() - start) / 1000;
  const cpu = (await read(server, "cpu")) - before;
  for (const id of ids) if (!(await isStored(url, id))) errors++;
  return { answers: people * messages, errors, firstWords, seconds, cpu };
}

async function create(url: string): Promise<string> {
  return ((await (await send(new URL("api/chats", url), "POST")).json()) as { id: string }).id;
}

async function isStored(url: string, id: string): Promise<boolean> {
  const response = await send(new URL(`api/chats/${id}`, url), "GET");
  return ((await response.json()) as { messages: unknown[] }).messages.length === 2;
}

/** Returns the time to the first word. An answer counts if it uses the right skill and is complete. */
async function ask(url: URL): Promise<number> {
  const name = skillName(Math.floor(Math.random() * SKILLS));
  const message = { id: "m", role: "user", parts: [{ type: "text", text: `Use ${name} to fill in the forms.` }] };
  const start = performance.now();
  const response = await send(url, "POST", { message, modelId: "offline" });
  let [text, first] = ["", Number.NaN];
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(first) && text.includes('"type":"text-delta"')) first = performance.now() - start;
  }
  const isWhole = text.includes('"type":"finish"') && !text.includes('"type":"error"') && text.includes(lastLine(name));
  if (Number.isNaN(first) || !isWhole) throw new Error(`No whole answer: ${text.slice(-300)}`);
  return first;
}

async function send(url: URL, method: string, body: unknown = {}): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    signal: deadline,
    ...(method !== "GET" && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url.pathname}: ${response.status} ${await response.text()}`);
  return response;
}

async function read<Key extends keyof ProcessUse>({ child }: Server, key: Key): Promise<ProcessUse[Key]> {
  const answered = once(child, "message", { signal: deadline });
  child.send(key);
  return ((await answered) as [ProcessUse[Key]])[0];
}

function rowsOf(servers: readonly Server[], pick: (server: Server) => readonly Figures[], people: number): string[] {
  const [bare] = servers.map((server) => summary(pick(server)));
  return servers.map((server) => {
    const figures = summary(pick(server));
    const toBare = (key: "cpu" | "p99"): string => (figures[key] / (bare?.[key] ?? Number.NaN)).toFixed(2);
    const cells = [
      server.name,
      people,
      figures.answers.toLocaleString("en"),
      figures.errors,
      figures.rate.toFixed(1),
      figures.cpu.toFixed(1),
      toBare("cpu"),
      figures.p50.toFixed(0),
      figures.p99.toFixed(0),
      toBare("p99"),
    ];
    return `| ${cells.join(" | ")} |`;
  });
}

function summary(figures: readonly Figures[]) {
  const sum = (pick: (one: Figures) => number): number => figures.reduce((total, one) => total + pick(one), 0);
  const answers = sum((one) => one.answers);
  const sorted = figures.flatMap(({ firstWords }) => firstWords).sort((a, b) => a - b);
  return {
    answers,
    errors: sum((one) => one.errors),
    rate: answers / sum(({ seconds }) => seconds),
    cpu: sum(({ cpu }) => cpu) / answers,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
  };
}

function quantile(sorted: readonly number[], at: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN;
}

function report(all: readonly Server[], database: Memory): void {
  const measured = all.filter(({ memory }) => memory.length > 0);
  const megabytes = (key: keyof Memory, uses: readonly Memory[]): string =>
    uses.map((one) => (one[key] / 1e6).toFixed(0)).join(" / ");
  const memory = measured.map(
    ({ name, memory }) => `| ${name} | ${megabytes("heap", memory)} | ${megabytes("resident", memory)} |`,
  );
  const text = [
    `Node ${process.versions.node}, ${cpus().length} cores, shared with the clients and the database server. The offline model with ${SKILLS} skills: an answer activates one and quotes it. All users ask at the same moment, each in a separate new chat, ${rounds} rounds, alternating with a single user and between the servers. An error is an answer that is refused, cut, wrong or not stored. The CPU is that of the server's process per answer, without creating the chat before and reading it after; with PGlite, it includes the database.`,
    "",
    "| server | chats at once | answers | errors | answers/s | CPU an answer, ms | to bare | first word p50 ms | p99 ms | to bare |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rowsOf(measured, ({ alone }) => alone, 1),
    ...rowsOf(measured, ({ together }) => together, atOnce),
    "",
    `Memory in MB after garbage collection, before the first round, after each, and ${IDLE / 1000} seconds after the last:`,
    "",
    "| process | heap | resident |",
    "| --- | --- | --- |",
    ...memory,
    `| an empty PGlite, no chat | ${megabytes("heap", [database])} | ${megabytes("resident", [database])} |`,
  ].join("\n");
  console.log(`\n${text}`);
  if (values.out !== undefined) writeSection(values.out, "chat-load", text);
}
