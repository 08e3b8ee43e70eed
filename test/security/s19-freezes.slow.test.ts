import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import type { ChatSummary } from "../../apps/chat/shared/api.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { startServer } from "./chat-under-load.ts";
import { report } from "./report.ts";

const CASES = Math.min(2_000, Number(process.env.CASES ?? 100));
/** A safety margin for busy machines: a real freeze takes many times as long. */
const DEADLINE = 15_000;

const UNITS = [
  ":/",
  "(/a",
  "'/",
  "\\\\",
  "***a",
  ">",
  "- ",
  "[",
  "`",
  "a",
  "%",
  "_",
  "\\",
  "é",
  "\u{1f600}",
  "{",
  "<",
  "\n",
  "a\n\n",
  "/",
];

test(
  "S19: no request, body or answer blocks the chat for others, as naive implementations do",
  async () => {
    const project = temporaryFolder({
      ".skills/notes/SKILL.md": skillMd("notes"),
      "config.toml": `[app.skills]
enabled = true
directories = ["./.skills"]
[limits]
requests_per_minute = 10000000
answers_per_minute = 1000000
`,
    });
    const environment = {
      HOME: project,
      CONFIG: `${project}/config.toml`,
      DATA_DIR: `${project}/data`,
      LOG_LEVEL: "error",
    };
    const server = await startServer({ environment });
    onTestFinished(server.kill);
    const { id } = (await (await send(server.url, "POST", "api/chats")).json()) as ChatSummary;

    const watch = watchHealth(server.url);
    let crashed = 0;
    for (let index = 0; index < CASES; index += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, CASES - index) }, (_, one) =>
        attack(server.url, id, index + one),
      );
      crashed += (await Promise.all(batch)).filter((status) => status === 0 || status === 500).length;
    }
    const { slowest, failed } = await watch.end();
    expect(crashed).toBe(0);
    expect(failed).toBe(0);
    report("S19", {
      tried: "hostile requests",
      cases: CASES,
      through: crashed + failed,
      control: "a backtracking pattern and `LIKE` on long texts do not end",
      note: `the slowest answer of /healthz took ${Math.round(slowest)} ms`,
    });
    expect(
      await ends(`("(" + ":/".repeat(200000)).replace(/(?<![\\w.~/<])\\/(?:[^\\s"'\`/]+\\/)*[^\\s"'\`/:,.]+/g, "")`),
    ).toBe(false);
    expect(await ends(LIKE)).toBe(false);
    expect(await ends("1 + 1", DEADLINE)).toBe(true);
  },
  120_000 + CASES * 100,
);

test("S19: the chat answers others while a client copies a chat of 10 MB", async () => {
  const home = temporaryFolder({ "config.toml": "[app.skills]\nenabled = false\n" });
  const environment = { HOME: home, CONFIG: `${home}/config.toml`, DATA_DIR: `${home}/data`, LOG_LEVEL: "error" };
  const server = await startServer({ environment });
  onTestFinished(() => server.kill());
  const { id } = (await (await send(server.url, "POST", "api/chats")).json()) as ChatSummary;
  for (let index = 0; index < 10; index++) {
    // A text that cannot be compressed to less than half.
    const parts = [{ type: "text", text: randomBytes(500_000).toString("hex") }];
    const body = { message: { id: `m${index}`, role: "user", parts }, modelId: "offline" };
    const response = await send(server.url, "POST", `api/chats/${id}/turn`, body);
    await response.text();
    expect(response.status).toBe(200);
  }
  const watch = watchHealth(server.url);
  const statuses: number[] = [];
  for (let fork = 0; fork < FORKS; fork++) {
    const response = await send(server.url, "POST", `api/chats/${id}/fork`, { messageId: "m9" });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  const { slowest, failed } = await watch.end();
  expect(statuses).toEqual(Array(FORKS).fill(201));
  expect(failed).toBe(0);
  report("S19", {
    tried: "copies of a chat of 10 MB",
    cases: FORKS,
    through: failed,
    note: `the slowest answer of /healthz took ${Math.round(slowest)} ms`,
  });
}, 120_000);

const FORKS = 8;

interface Health {
  /** In milliseconds. */
  slowest: number;
  /** The number of requests without an answer before the deadline. */
  failed: number;
}

/** Asks for /healthz all the time, until `end` is called. */
function watchHealth(url: string): { end(): Promise<Health> } {
  const health: Health = { slowest: 0, failed: 0 };
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      const start = performance.now();
      const signal = AbortSignal.timeout(DEADLINE);
      const check = () => fetch(`${url}healthz`, { signal }).then(({ ok }) => ok);
      const isAlive = await check().catch((error) => (isClosed(error) ? check().catch(() => false) : false));
      if (!isAlive) health.failed++;
      health.slowest = Math.max(health.slowest, performance.now() - start);
      await pause(20);
    }
  })();
  return {
    end: async () => {
      isDone = true;
      await watch;
      return health;
    },
  };
}

const AT_ONCE = 10;
/** The number of kinds of requests in `attack`. */
const KINDS = 9;
const CONTROL_DEADLINE = 1_000;

/** Sends one hostile request; returns the status, or 0 without a response. */
async function attack(url: string, chatId: string, index: number): Promise<number> {
  const unit = UNITS[index % UNITS.length] ?? "a";
  const text = (characters: number): string =>
    `(${unit.repeat(Math.ceil(characters / unit.length))}`.slice(0, characters);
  // Every kind is tried with every unit; in one of ten rounds with a megabyte, which is slow to send.
  const round = Math.floor(index / (UNITS.length * KINDS));
  const size = round % 10 === 9 ? 1_000_000 : 30_000;
  const query = encodeURIComponent(text(4_000).toWellFormed()).slice(0, 14_000).replace(/%.?$/, "");
  const message = { id: `m${index}`, role: "user", parts: [{ type: "text", text: text(size) }] };
  const kinds: (() => Promise<Response>)[] = [
    () => send(url, "PATCH", `api/chats/${chatId}`, { modelId: text(size) }),
    () => send(url, "PATCH", `api/chats/${chatId}`, { title: text(size) }),
    () => send(url, "POST", `api/chats/${chatId}/turn`, { message, modelId: text(size) }),
    () => ask(url, message),
    () => send(url, "GET", `api/chats?query=${query}`),
    () => send(url, "GET", `api/skills/notes/file?path=${query}`),
    () => send(url, "GET", `api/skills/${query.replaceAll("%2F", "")}`),
    () => send(url, "DELETE", `api/chats/${chatId}/skills/${query.replaceAll("%2F", "")}`),
    () => send(url, "PUT", "api/skills/notes/switch", { isEnabled: text(size) }),
  ];
  const kind = kinds[Math.floor(index / UNITS.length) % KINDS] as () => Promise<Response>;
  const attempt = async (): Promise<number> => {
    const response = await kind();
    await response.arrayBuffer();
    return response.status;
  };
  // The server may refuse a long body by closing the connection, which another request may be about to use.
  return attempt()
    .catch((error) => (isClosed(error) ? attempt().catch(isClosed) : 0))
    .then(Number);
}

/** Whether the server closed the connection. If it had crashed, `/healthz` would fail too. */
function isClosed(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

/** In a separate chat, because every answer is slower in a chat that grows. */
async function ask(url: string, message: unknown): Promise<Response> {
  const { id } = (await (await send(url, "POST", "api/chats")).json()) as ChatSummary;
  return send(url, "POST", `api/chats/${id}/turn`, { message, modelId: "offline" });
}

function send(url: string, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const init = { method, headers, signal: AbortSignal.timeout(60_000) };
  return fetch(`${url}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}

/** Does what LIKE does with a pattern between two percent signs: tries every start. */
const LIKE = `(() => {
  const [text, query] = ["a".repeat(4_000_000), "a".repeat(4_000) + "b"];
  for (let start = 0; start < text.length; start++) {
    let length = 0;
    while (length < query.length && text.charCodeAt(start + length) === query.charCodeAt(length)) length++;
  }
})()`;

/** Returns whether an expression finishes in time, on a thread that is ended otherwise. */
async function ends(expression: string, deadline = CONTROL_DEADLINE): Promise<boolean> {
  const worker = new Worker(expression, { eval: true });
  const done = new Promise<boolean>((resolve) => worker.once("exit", () => resolve(true)));
  const late = new AbortController();
  const isDone = await Promise.race([done, pause(deadline, false, { signal: late.signal })]);
  late.abort();
  await worker.terminate();
  return isDone;
}
