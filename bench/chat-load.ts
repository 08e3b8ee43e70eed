// Streams answers to many users at once: `npx node bench/chat-load.ts [--chats 200] [--rounds 3] [--out FILE.md]`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hasPostgres, startPostgres } from "../apps/chat/server/testing/postgres-server.ts";
import type { Memory } from "./mcp-memory.ts";
import { writeSkills } from "./mcp-skills.ts";
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
const deadline = AbortSignal.timeout(600_000);
const WARM_UP = 20;

interface Figures {
  readonly answers: number;
  readonly errors: number;
  /** Milliseconds from the request to the first word. */
  readonly firstWords: readonly number[];
  readonly seconds: number;
}

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
const rows: string[] = [];
try {
  const skills = writeSkills(join(folder, "skills"), 20);
  const config = join(folder, "config.toml");
  writeFileSync(
    config,
    `[server]\nport = 0\n[limits]\nrequests_per_minute = 10000000\nanswers_per_minute = 1000000\nanswers_at_once = ${atOnce}
[app.skills]\nenabled = true\ndirectories = [${JSON.stringify(skills)}]\n`,
  );
  await measure("PGlite", config, { DATA_DIR: join(folder, "data") });
  if (hasPostgres) {
    const server = await startPostgres();
    try {
      await measure("PostgreSQL", config, { DATABASE_URL: server.url });
    } finally {
      await server.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();

async function measure(name: string, config: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: folder, ...environment };
  const server = fork(fileURLToPath(new URL("./chat-serve.ts", import.meta.url)), [config], { env });
  try {
    const [url] = (await once(server, "message", { signal: deadline })) as [string];
    await converse(url, 1, WARM_UP);
    await converse(url, Math.min(atOnce, WARM_UP), 1);
    const [alone, together]: [Figures[], Figures[]] = [[], []];
    const memory = [await memoryOf(server)];
    // Alternating, because other programs may be busy at one time and not at another.
    for (let round = 0; round < rounds; round++) {
      alone.push(await converse(url, 1, Math.ceil(atOnce / rounds)));
      together.push(await converse(url, atOnce, 1));
      memory.push(await memoryOf(server));
    }
    const base = quantile(sortedWords(alone), 0.99);
    addRow(name, 1, alone, base, memory.slice(0, 1));
    addRow(name, atOnce, together, base, memory);
  } finally {
    server.disconnect();
    await once(server, "exit");
  }
}

/** Simulates this many users at once, each in a separate chat, with this many messages one after the other. */
async function converse(url: string, people: number, messages: number): Promise<Figures> {
  const firstWords: number[] = [];
  let errors = 0;
  const talk = async (): Promise<void> => {
    for (let message = 0; message < messages; message++) {
      try {
        firstWords.push(await ask(url, (await create(url)).id));
      } catch (error) {
        if (errors++ === 0) console.error(error);
      }
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: people }, talk));
  const seconds = (performance.now() - start) / 1000;
  return { answers: people * messages, errors, firstWords, seconds };
}

async function create(url: string): Promise<{ readonly id: string }> {
  return (await (await send(url, "POST", "api/chats")).json()) as { id: string };
}

/** Returns the time to the first word. An answer counts if it uses the right skill, is complete, and is stored. */
async function ask(url: string, id: string): Promise<number> {
  const kind = Math.floor(Math.random() * 20);
  const message = { id: "m", role: "user", parts: [{ type: "text", text: `Fill the forms of kind ${kind}` }] };
  const start = performance.now();
  const response = await send(url, "POST", `api/chats/${id}/turn`, { message, modelId: "offline" });
  let [text, first] = ["", Number.NaN];
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(first) && text.includes('"type":"text-delta"')) first = performance.now() - start;
  }
  const isWhole = text.includes('"type":"finish"') && !text.includes('"type":"error"') && text.includes("form-000");
  if (Number.isNaN(first) || !isWhole) throw new Error(`No whole answer: ${text.slice(-300)}`);
  const { messages } = (await (await send(url, "GET", `api/chats/${id}`)).json()) as { messages: unknown[] };
  if (messages.length !== 2) throw new Error(`The answer is not stored: ${messages.length} messages.`);
  return first;
}

async function send(url: string, method: string, path: string, body: unknown = {}): Promise<Response> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { "content-type": "application/json" },
    signal: deadline,
    ...(method !== "GET" && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  const answered = once(server, "message", { signal: deadline });
  server.send("memory");
  return ((await answered) as [Memory])[0];
}

function addRow(
  name: string,
  people: number,
  figures: readonly Figures[],
  base: number,
  memory: readonly Memory[],
): void {
  const sum = (pick: (one: Figures) => number): number => figures.reduce((total, one) => total + pick(one), 0);
  const all = sortedWords(figures);
  const megabytes = (key: keyof Memory): string => memory.map((one) => (one[key] / 1e6).toFixed(0)).join(" / ");
  const cells = [
    name,
    people,
    sum(({ answers }) => answers).toLocaleString("en"),
    sum(({ errors }) => errors),
    (sum(({ answers }) => answers) / sum(({ seconds }) => seconds)).toFixed(1),
    quantile(all, 0.5).toFixed(0),
    quantile(all, 0.99).toFixed(0),
    (quantile(all, 0.99) / base).toFixed(1),
    megabytes("heap"),
    megabytes("resident"),
  ];
  rows.push(`| ${cells.join(" | ")} |`);
  console.log(rows.at(-1));
}

function sortedWords(figures: readonly Figures[]): readonly number[] {
  return figures.flatMap(({ firstWords }) => firstWords).sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], at: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(at * sorted.length) - 1)] ?? Number.NaN;
}

function report(): void {
  const text = [
    `Node ${process.versions.node}, ${cpus().length} cores, shared with the clients. The offline model with 20 skills: an answer activates one and quotes it. All users ask at the same moment, each in a separate chat, ${rounds} rounds with new chats, alternating with a single user. An error is an answer that is refused, cut, wrong or not stored. Memory is the server's after garbage collection, before and after each round.`,
    "",
    "| database | chats at once | answers | errors | answers/s | first word p50 ms | p99 ms | p99 to one chat's | heap MB | resident MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
    ...rows,
  ].join("\n");
  console.log(`\n${text}`);
  if (values.out !== undefined) writeSection(values.out, "chat-load", text);
}
