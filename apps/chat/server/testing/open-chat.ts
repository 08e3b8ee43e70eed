import { type ScriptedModel, type ScriptStep, startScriptedModel } from "@skillset/testing";
import { getTableName, sql } from "drizzle-orm";
import type { Hono } from "hono";
import type { ScriptRunner } from "skillset/scripts";
import { onTestFinished } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../test/temporary-folder.ts";
import type { Chat, ChatMessage, ChatSummary } from "../../shared/api.ts";
import { createApp } from "../app.ts";
import { parseConfig } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import * as schema from "../database/schema.ts";
import { createLog, type Fields } from "../observe/log.ts";
import { openServices } from "../open-services.ts";
import type { Services } from "../services.ts";
import { openMemory } from "./memory-database.ts";

export const TOKEN = "a-token-for-the-tests";

export interface OpenChatOptions {
  /** Files below the project; skills are in `.skills` and `.agents/skills`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly config?: string;
  /** The model's script. The model without tools is `scripted/plain`, and the one without files `scripted/text`. */
  readonly script?: readonly ScriptStep[];
  /** Whether the model also writes titles, which is one more request. */
  readonly hasTitles?: boolean;
  /** How the model tracks its position in the script. */
  readonly pace?: "conversation" | "global";
  /** The price of `scripted/tools`, as in the settings. */
  readonly prices?: string;
  readonly project?: string;
  /** The folder in which the chat was started. */
  readonly startFolder?: string;
  /** Replaces the database that all chats of a test file share. It is closed with the chat. */
  readonly database?: Database;
  readonly leaseSeconds?: number;
  /** More variables of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces the sandbox. */
  readonly scriptRunner?: ScriptRunner;
}

/** A real chat server that does not listen. The model is a separate HTTP server. */
export async function openChat(options: OpenChatOptions = {}): Promise<TestChat> {
  const project = options.project ?? temporaryFolder();
  writeFiles(project, options.files ?? {});
  const model = await startScriptedModel(options.script ?? [], {
    isSide: () => false,
    pace: options.pace ?? "conversation",
  });
  const settings = `${options.config ?? SKILLS_ON}
[[models.openai_compatible]]
name = "scripted"
base_url = "${model.url}/v1"
models = [
  { id = "tools", vision = true, pdf = true${options.prices ? `, price = ${options.prices}` : ""} },
  { id = "text" },
  { id = "images", vision = true },
  { id = "plain", tools = false },
]
`;
  const parsed = parseConfig(settings, `${project}/config.toml`);
  const titles = options.hasTitles ? "model" : "words";
  const config = { ...parsed, models: { ...parsed.models, titles } } as const;
  const lines: LogLine[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const database = options.database ?? (await sharedDatabase());
  const environment = { ADMIN_TOKEN: TOKEN, INIT_CWD: options.startFolder ?? project, ...options.environment };
  const webRoot = `${project}/dist`;
  const { leaseSeconds = 15, scriptRunner } = options;
  const opening = { environment, log, webRoot, database, leaseSeconds, ...(scriptRunner && { scriptRunner }) };
  const { services } = await openServices(config, opening);
  const close = async (): Promise<void> => {
    services.events.close();
    await services.running.finish(0);
    await services.skills?.registry.close();
    await model.close();
    // A test may have closed it already, to simulate a crash.
    await options.database?.close().catch(() => {});
  };
  onTestFinished(close);
  return new TestChat(createApp(services), services, model, project, lines);
}

type LogLine = Fields & { readonly event: string; readonly level: string };

const SKILLS_ON = `[app.skills]
enabled = true
directories = ["./.skills", "./.agents/skills"]
`;

let opening: Promise<Database> | undefined;

/** One database per test file: all chats of a test, such as the one after a restart, share its tables. */
async function sharedDatabase(): Promise<Database> {
  opening ??= openMemory();
  return opening;
}

/** Deletes rows, because truncating fifteen tables would create fifteen files and their indexes, after each test. */
export async function emptyDatabase(): Promise<void> {
  const { queries } = await sharedDatabase();
  // Tables refer to earlier ones.
  const tables = Object.values(schema)
    .map((table) => getTableName(table))
    .reverse();
  const deletions = tables.map((table) => `DELETE FROM ${table};`).join(" ");
  await queries.execute(sql.raw(`DO $$ BEGIN ${deletions} END $$`));
}

export class TestChat {
  readonly app: Hono;
  readonly services: Services;
  readonly model: ScriptedModel;
  readonly project: string;
  readonly log: readonly LogLine[];

  constructor(app: Hono, services: Services, model: ScriptedModel, project: string, log: readonly LogLine[]) {
    this.app = app;
    this.services = services;
    this.model = model;
    this.project = project;
    this.log = log;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const type = method === "GET" ? {} : { "content-type": "application/json" };
    return this.app.request(path, { method, headers: { ...type, ...headers }, body: JSON.stringify(body) });
  }

  async get<Body>(path: string, headers: Record<string, string> = {}): Promise<Body> {
    return (await (await this.call("GET", path, undefined, headers)).json()) as Body;
  }

  asAdmin(method: string, path: string, body?: unknown): Promise<Response> {
    return this.call(method, path, body, { authorization: `Bearer ${TOKEN}` });
  }

  async create(): Promise<string> {
    return ((await (await this.call("POST", "/api/chats")).json()) as ChatSummary).id;
  }

  load(id: string): Promise<Chat> {
    return this.get<Chat>(`/api/chats/${id}`);
  }

  /** Sends a message and waits for the end of the answer. */
  async say(id: string, text: string, more: { modelId?: string; replaceFrom?: string; messageId?: string } = {}) {
    const chunks = await readChunks(await this.ask(id, text, more));
    return { chunks, last: (await this.load(id)).messages.at(-1) as ChatMessage };
  }

  ask(id: string, text: string, more: { modelId?: string; replaceFrom?: string; messageId?: string } = {}) {
    const { modelId = "scripted/tools", messageId = `m${++this.#asked}`, ...rest } = more;
    const message = { id: messageId, role: "user", parts: [{ type: "text", text }] };
    return this.call("POST", `/api/chats/${id}/turn`, { message, modelId, ...rest });
  }

  #asked = 0;
}

export type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>;

export async function readChunks(response: Response): Promise<readonly Chunk[]> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as Chunk);
}
