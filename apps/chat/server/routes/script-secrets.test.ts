import { chmodSync } from "node:fs";
import { type SQL, sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";
import { testRunner } from "../testing/test-runner.ts";

afterEach(emptyDatabase);
afterEach(() => void vi.unstubAllEnvs());

const CANARY = "canary-7f3a9Q-secret";
const CONFIG = `[app.skills]
enabled = true
directories = ["./.skills"]
scripts = "auto"
script_env = ["OCR_TOKEN"]
[database]
folder = "data"
`;
const FILES = {
  ".skills/ocr/SKILL.md": skillMd("ocr", "Reads text.", "", "metadata:\n  env: OCR_TOKEN\n"),
  ".skills/ocr/scripts/read.sh": 'print-env OCR_TOKEN\nwrite "note.txt" nothing',
  ".skills/ocr/scripts/hang.sh": 'write-env "key.txt" OCR_TOKEN\nhang',
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  ".skills/tea/scripts/brew.sh": "print-env OCR_TOKEN",
};

/** Lets a script run once. Returns what the page showed with the question. */
async function runOnce(chat: TestChat, id: string) {
  const said = chat.say(id, "Read it.");
  await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
  const { script } = await chat.load(id);
  await chat.call("POST", `/api/chats/${id}/consent`, { call: script?.call, answer: "once" });
  await said;
  return { script, messages: await chat.load(id) };
}

function openOcr(environment: Readonly<Record<string, string>>, skill = "ocr", script = "scripts/read.sh") {
  vi.stubEnv("OCR_TOKEN", "set, so that the skill is available");
  const steps = [{ call: "skills_run_script", input: { name: skill, script } }, { say: "Done." }];
  const scriptRunner = testRunner();
  return Promise.all([
    openChat({ files: FILES, config: CONFIG, script: steps, scriptRunner, environment }),
    scriptRunner,
  ]);
}

test("a script gets the variables that its skill and the settings name, and the question names them", async () => {
  const [chat, runner] = await openOcr({ OCR_TOKEN: CANARY });
  const id = await chat.create();
  const { script, messages } = await runOnce(chat, id);
  expect(script?.env).toEqual(["OCR_TOKEN"]);
  expect(runner.jobs[0]?.env).toEqual({ OCR_TOKEN: CANARY });
  expect(JSON.stringify(messages)).toContain("[OCR_TOKEN]");
});

test("the value is neither in the database, nor in the log, nor in a request to the model", async () => {
  const [chat] = await openOcr({ OCR_TOKEN: CANARY });
  const { messages } = await runOnce(chat, await chat.create());
  const { queries } = chat.services.database;
  const read = async (query: SQL) => ((await queries.execute(query)) as { rows: Record<string, unknown>[] }).rows;
  const tables = await read(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(3);
  const stored = await Promise.all(tables.map(({ name }) => read(sql`select * from ${sql.identifier(String(name))}`)));
  const all = [stored, chat.log, chat.model.requests, messages];
  expect(all.map((part) => JSON.stringify(part).includes(CANARY))).toEqual([false, false, false, false]);
  expect(JSON.stringify(all)).toContain("[OCR_TOKEN]");
});

test("while a script runs, neither a download nor a fork shows the value in its files, also after a reload", async () => {
  const [chat, runner] = await openOcr({ OCR_TOKEN: CANARY }, "ocr", "scripts/hang.sh");
  // For root, scripts would write to a copy of the folder until they end.
  chmodSync(chat.project, 0o755);
  const id = await chat.create();
  const said = chat.say(id, "Read it.");
  await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
  const { script, messages } = await chat.load(id);
  await chat.call("POST", `/api/chats/${id}/consent`, { call: script?.call, answer: "once" });
  await expect.poll(() => runner.jobs.length).toBe(1);
  const download = async (of: string) => (await chat.call("GET", `/api/chats/${of}/file?path=key.txt`)).text();
  await expect.poll(() => download(id)).toBe("[OCR_TOKEN]");
  await chat.services.skills?.registry.readSwitches();
  expect(await download(id)).toBe("[OCR_TOKEN]");
  const fork = await chat.call("POST", `/api/chats/${id}/fork`, { messageId: messages[0]?.id });
  const { id: forked } = (await fork.json()) as { id: string };
  await chat.call("POST", `/api/chats/${id}/stop`, {});
  await said;
  expect([await download(forked), await download(id)]).toEqual(["[OCR_TOKEN]", "[OCR_TOKEN]"]);
});

test("the scripts of other skills do not get them", async () => {
  const [chat, runner] = await openOcr({ OCR_TOKEN: CANARY }, "tea", "scripts/brew.sh");
  const { script } = await runOnce(chat, await chat.create());
  expect(script?.env).toEqual([]);
  expect(runner.jobs.map(({ env }) => env)).toEqual([undefined]);
});

test("a variable that the server does not have is logged at the start, and refuses the run", async () => {
  const [chat, runner] = await openOcr({});
  expect(chat.log).toContainEqual(
    expect.objectContaining({ level: "warn", event: "script-variables-missing", variables: "OCR_TOKEN" }),
  );
  const { messages } = await runOnce(chat, await chat.create());
  expect(JSON.stringify(messages)).toContain("the variable 'OCR_TOKEN' is missing");
  expect(runner.jobs).toEqual([]);
});
