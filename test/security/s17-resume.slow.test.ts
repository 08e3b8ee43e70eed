import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { hasPostgres, POSTGRES_MISSING, startPostgres } from "../../apps/chat/server/testing/postgres-server.ts";
import type { Chat, ChatSummary } from "../../apps/chat/shared/api.ts";
import { readAnswer } from "../../apps/chat/web/src/api/read-answer.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type RunningServer, startServer } from "./chat-under-load.ts";
import { countedWords, startCountingModel } from "./counting-model.ts";
import { report } from "./report.ts";

const TABS = 100;
/** Each takes ten seconds. */
const KILLS = Math.min(6, Number(process.env.KILLS ?? 2));
/** Answers before each kill. A kill cuts at most one for each tab, however slow the machine is. */
const BETWEEN = 2.5 * TABS;

const settings = (modelUrl: string) => `[limits]
requests_per_minute = 1000000
answers_per_minute = 1000000
answers_per_client = 1000
requests_per_client = 1000
pages_per_client = 1000
[[models.openai_compatible]]
name = "counting"
base_url = "${modelUrl}/v1"
models = [{ id = "m" }]
`;

/** How an answer ended in a tab. */
interface Ending {
  readonly kind: "whole" | "cut" | "wrong";
  readonly note?: string;
}

test.skipIf(!hasPostgres)(
  `S17: with two servers, one killed again and again, every tab ends with the whole answer or a marked cut${POSTGRES_MISSING}`,
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const model = await startCountingModel();
    onTestFinished(() => model.close());
    const project = temporaryFolder({ "config.toml": settings(model.url) });
    const environment = {
      HOME: project,
      CONFIG: `${project}/config.toml`,
      DATABASE_URL: await postgres.createDatabase(),
      LOG_LEVEL: "error",
    };
    const servers: RunningServer[] = [];
    const start = async (): Promise<void> => {
      const server = await startServer({ environment });
      onTestFinished(server.kill);
      servers.push(server);
    };
    await Promise.all([start(), start()]);

    const resumes: number[] = [];
    let isOver = false;
    const endings: Ending[] = [];
    const tab = async (): Promise<void> => {
      while (!isOver) endings.push(await useTab(servers, (milliseconds) => resumes.push(milliseconds)));
    };
    const tabs = Array.from({ length: TABS }, async (_, index) => {
      await pause(index * 20);
      await tab();
    });
    const answered = async (count: number): Promise<void> => {
      const target = endings.length + count;
      while (endings.length < target) await pause(50);
    };
    for (let kill = 0; kill < KILLS; kill++) {
      await answered(BETWEEN);
      const killed = servers.shift();
      // As a proxy does, tabs no longer use a server that is gone.
      await killed?.kill();
      await start();
    }
    await answered(TABS);
    isOver = true;
    await Promise.all(tabs);

    const count = (kind: Ending["kind"]) => endings.filter((one) => one.kind === kind).length;
    const sorted = resumes.toSorted((a, b) => a - b);
    const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN;
    report("S17", {
      tried: `answers during ${KILLS} kills of one of two servers`,
      cases: endings.length,
      through: count("wrong"),
      note: `${TABS} tabs: ${count("whole")} whole answers, ${count("cut")} marked as cut; ${resumes.length} resumed, p99 ${p99.toFixed(0)} ms`,
    });
    expect(endings.filter(({ kind }) => kind === "wrong")).toEqual([]);
    expect(endings.length).toBeGreaterThan(TABS);
    expect(resumes.length).toBeGreaterThan(0);
    expect(count("whole") / endings.length).toBeGreaterThanOrEqual(0.6);
  },
  180_000 + KILLS * 30_000,
);

/** Asks in a new chat and reads the answer, as a page does. */
async function useTab(servers: readonly RunningServer[], onResume: (milliseconds: number) => void): Promise<Ending> {
  const name = randomUUID().slice(0, 8);
  const { id } = await attempt<ChatSummary>(servers, "api/chats", {});
  const path = `api/chats/${id}`;
  const message = { id: "m", role: "user", parts: [{ type: "text", text: `Count for ${name}` }] };
  const first = await ask(servers, path, { message, modelId: "counting/m" });
  let [seen, lostAt] = ["", 0];
  const stream = readAnswer(first, {
    open: (query, signal) => send(pick(servers), `${path}/answer${query}`, undefined, signal),
    onNetwork: () => () => {},
    onConnection: (isConnected) => {
      if (isConnected && lostAt > 0) onResume(performance.now() - lostAt);
      lostAt = isConnected ? 0 : lostAt || performance.now();
    },
  });
  for await (const chunk of stream) if (chunk.type === "text-delta") seen += chunk.delta;
  return judge(name, seen, await attempt<Chat>(servers, path));
}

function judge(name: string, seen: string, { messages, isAnswering }: Chat): Ending {
  const whole = countedWords(name);
  const last = messages.at(-1);
  const stored = (last?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
  const note = JSON.stringify({ seen, stored, isAnswering, metadata: last?.metadata });
  if (!whole.startsWith(seen) || !stored.startsWith(seen) || isAnswering || last?.role !== "assistant")
    return { kind: "wrong", note };
  if (last.metadata?.isCut === true) return whole.startsWith(stored) ? { kind: "cut" } : { kind: "wrong", note };
  return stored === whole ? { kind: "whole" } : { kind: "wrong", note };
}

/** Sends the message until a server has accepted it. If its answer is running already, the tab joins it. */
async function ask(servers: readonly RunningServer[], path: string, body: unknown): Promise<Response> {
  for (;;) {
    try {
      return await send(pick(servers), `${path}/turn`, body);
    } catch (error) {
      if ((error as { status?: number }).status === 409) {
        const joined = await send(pick(servers), `${path}/answer`).catch(() => undefined);
        if (joined !== undefined) return joined;
      }
      await pause(100);
    }
  }
}

async function attempt<Result>(servers: readonly RunningServer[], path: string, body?: unknown): Promise<Result> {
  for (;;) {
    try {
      return (await (await send(pick(servers), path, body)).json()) as Result;
    } catch {
      await pause(100);
    }
  }
}

function pick(servers: readonly RunningServer[]): RunningServer {
  return servers[Math.floor(Math.random() * servers.length)] as RunningServer;
}

async function send({ url }: RunningServer, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    signal: signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw Object.assign(new Error(await response.text()), { status: response.status });
}
