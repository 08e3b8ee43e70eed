// Follows the backup and restore steps of docs/chat-team.md for the embedded database and, if installed, for a PostgreSQL
// server. The restored conversation must be identical, and it must be possible to continue it.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillDataFolder } from "../apps/chat/server/testing/memory-database.ts";
import { hasPostgres, startPostgres } from "../apps/chat/server/testing/postgres-server.ts";

const MAIN = fileURLToPath(new URL("../apps/chat/server/main.ts", import.meta.url));
const TOKEN = "a-token-for-the-drill";
const folder = mkdtempSync(join(tmpdir(), "skillset-drill-"));
try {
  await drillFolder();
  if (hasPostgres) await drillServer();
  else console.log("skipped  PostgreSQL: not installed");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The embedded database: archives its folder while the chat is stopped. */
async function drillFolder(): Promise<void> {
  const [own, other] = [join(folder, "own"), join(folder, "other")];
  const archive = join(folder, "chat.tar.gz");
  await fillDataFolder(join(own, "chat"));
  const before = await withChat({ DATA_DIR: join(own, "chat") }, converse);
  run("tar", ["--create", "--gzip", "--file", archive, "--directory", own, "--exclude", "chat/reserve", "chat"]);
  rmSync(own, { recursive: true });
  mkdirSync(other);
  run("tar", ["--extract", "--gzip", "--file", archive, "--directory", other]);
  await withChat({ DATA_DIR: join(other, "chat") }, (url) => expectSame(url, before));
  console.log(`ok       embedded database: ${before.chats.length} chats restored from an archive`);
}

/** A PostgreSQL server: dumps it while the chat is running, and restores it on another server. */
async function drillServer(): Promise<void> {
  const dump = join(folder, "chat.dump");
  const first = await startPostgres();
  let before: Stored = { chats: [], skills: [] };
  try {
    await withChat({ DATABASE_URL: first.url }, async (url) => {
      before = await converse(url);
      run("pg_dump", ["--format", "custom", "--file", dump, first.url]);
    });
  } finally {
    await first.close();
  }
  const second = await startPostgres();
  try {
    run("psql", ["--quiet", "--command", "CREATE DATABASE chat", second.url]);
    const restored = Object.assign(new URL(second.url), { pathname: "/chat" }).href;
    run("pg_restore", ["--dbname", restored, "--no-owner", "--exit-on-error", dump]);
    await withChat({ DATABASE_URL: restored }, (url) => expectSame(url, before));
  } finally {
    await second.close();
  }
  console.log(`ok       PostgreSQL: ${before.chats.length} chats restored from a dump`);
}

/** Creates one of everything that is stored: chats with answers, an active skill, a title and a switch. */
async function converse(url: string): Promise<Stored> {
  for (const text of ["/notes", "Explain ünïcödé, 😀 and 'quotes'; DROP TABLE chats"]) {
    const { id } = (await send(url, "POST", "api/chats")) as { id: string };
    await say(url, id, text);
  }
  const [{ id } = { id: "" }] = await listChats(url);
  await send(url, "PATCH", `api/chats/${id}`, { title: "A custom title" });
  await send(url, "PUT", "api/skills/other/switch", { isEnabled: false });
  return everything(url);
}

async function expectSame(url: string, before: Stored): Promise<void> {
  assert.deepEqual(await everything(url), before);
  const [{ id } = { id: "" }] = await listChats(url);
  await say(url, id, "And now?");
  const { messages } = (await send(url, "GET", `api/chats/${id}`)) as { messages: unknown[] };
  assert.equal(messages.length, 4, "the conversation continues");
}

interface Stored {
  readonly chats: readonly unknown[];
  readonly skills: readonly unknown[];
}

async function listChats(url: string): Promise<readonly { readonly id: string }[]> {
  return ((await send(url, "GET", "api/chats")) as { chats: { id: string }[] }).chats;
}

async function everything(url: string): Promise<Stored> {
  const loaded = await Promise.all((await listChats(url)).map(({ id }) => send(url, "GET", `api/chats/${id}`)));
  const { rows } = (await send(url, "GET", "api/skills")) as { rows: { name: string; state: string }[] };
  assert.deepEqual(
    rows.map(({ name, state }) => `${name} ${state}`),
    ["notes enabled", "other disabled"],
  );
  assert.equal(loaded.length, 2);
  return { chats: loaded, skills: rows };
}

async function say(url: string, id: string, text: string): Promise<void> {
  const message = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] };
  await send(url, "POST", `api/chats/${id}/turn`, { message, modelId: "offline" });
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}

/** Starts the chat as users do, and shuts it down cleanly. */
async function withChat<Result>(
  environment: Readonly<Record<string, string>>,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const config = join(folder, "config.toml");
  writeFileSync(config, '[app.skills]\nenabled = true\ndirectories = ["./skills"]\n');
  for (const name of ["notes", "other"]) {
    const skill = join(folder, "skills", name);
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), `---\nname: ${name}\ndescription: Takes ${name}.\n---\n\nBe brief.\n`);
  }
  const chat = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, HOME: folder, CONFIG: config, PORT: "0", ADMIN_TOKEN: TOKEN, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => chat.once("exit", resolve));
  try {
    const result = await work(await addressOf(chat));
    chat.kill("SIGTERM");
    assert.equal(await ended, 0, "the chat shuts down cleanly");
    return result;
  } finally {
    chat.kill("SIGKILL");
  }
}

function addressOf(chat: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [printed, errors] = ["", ""];
    chat.stderr?.on("data", (data) => {
      errors += data;
    });
    chat.stdout?.on("data", (data) => {
      printed += data;
      if (printed.endsWith("\n")) resolve(printed.trim());
    });
    chat.once("exit", (code) => reject(new Error(`The chat exited with ${code}:\n${errors}`)));
  });
}

function run(program: string, parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  assert.equal(status, 0, `${program} exited with ${status}: ${stderr}`);
}
