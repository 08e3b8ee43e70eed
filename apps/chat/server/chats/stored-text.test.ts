import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { Queries } from "../database/database.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/pdf/SKILL.md": `---\nname: pdf\ndescription: Reads PDFs, FRONT-MARKER-1.\nmetadata:\n  note: FRONT-MARKER-2\n---\nBODY-MARKER-1 $ARGUMENTS`,
  ".skills/pdf/references/a.md": "FILE-MARKER-1",
  ".skills/notes/SKILL.md": skillMd("notes", "Takes notes.", "BODY-MARKER-2"),
};

/** Every row of every table, as text. */
async function everything(queries: Queries): Promise<string> {
  const tables = (await queries.execute(
    sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )) as unknown as { rows: { name: string }[] };
  expect(tables.rows.length).toBeGreaterThanOrEqual(7);
  const all = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = (await queries.execute(
        sql`SELECT to_jsonb(t)::text AS row FROM ${sql.identifier(name)} t`,
      )) as unknown as { rows: { row: string }[] };
      return rows.map(({ row }) => `${name}: ${row}`);
    }),
  );
  return all.flat().join("\n");
}

async function useEverySkill(chat: TestChat): Promise<string> {
  const id = await chat.create();
  await chat.say(id, "Read my PDF");
  await chat.say(id, "/notes buy milk");
  await chat.say(id, "/notes");
  await chat.say(id, "/pdf page 3", { modelId: "scripted/plain" });
  return id;
}

const SCRIPT = [
  {
    calls: [
      { call: "skills_activate", input: { name: "pdf" } },
      { call: "skills_read_resource", input: { name: "pdf", path: "references/a.md" } },
    ],
  },
  { say: "Done." },
  { say: "Noted." },
  { say: "Noted again." },
  { say: "Page three." },
];

test("no table contains the text of a skill's instructions or files", async () => {
  const chat = await openChat({ files: FILES, script: SCRIPT });
  const id = await useEverySkill(chat);
  const { queries } = chat.services.database;
  const stored = await everything(queries);
  expect(stored).not.toMatch(/(?:BODY|FILE)-MARKER/);
  expect(stored).toMatch(/chat_skills: .*"pdf"/);
  expect(stored).toMatch(/chat_skills: .*"notes"/);
  expect(stored).toContain("/notes buy milk");
  expect(stored).toMatch(/sha256:[0-9a-f]{64}/);
  const { messages, active } = await chat.load(id);
  expect(JSON.stringify(messages)).toMatch(/BODY-MARKER-1[\s\S]*FILE-MARKER-1/);
  expect(active.map(({ name, by }) => [name, by])).toEqual([
    ["pdf", "model"],
    ["notes", "user"],
  ]);
});

test("exports, logs and metrics contain no text of skills, and logs none of messages", async () => {
  const chat = await openChat({ files: FILES, script: SCRIPT });
  const id = await useEverySkill(chat);
  const markdown = await (await chat.call("GET", `/api/chats/${id}/export?format=markdown`)).text();
  const json = await (await chat.call("GET", `/api/chats/${id}/export?format=json`)).text();
  const metrics = await (await chat.call("GET", "/metrics")).text();
  for (const text of [markdown, json, metrics, JSON.stringify(chat.log)]) expect(text).not.toMatch(/MARKER/);
  expect(JSON.stringify(chat.log)).not.toMatch(/buy milk|Noted/);
  expect(markdown).toContain("> `skills.activate` pdf");
  expect(markdown).toContain("> `skills.readResource` pdf references/a.md");
  expect(markdown).toMatch(/## You\n\n\/notes buy milk\n\n## Assistant\n\n> `skills.activate` notes\n\nNoted\./);
  expect(JSON.parse(json)).toMatchObject({ id, title: "Read my PDF" });
  expect((await chat.call("GET", `/api/chats/${id}/export?format=pdf`)).status).toBe(400);
});

test("after a restart a chat still has its messages, texts and active skills", async () => {
  const before = await openChat({ files: FILES, script: SCRIPT });
  const id = await useEverySkill(before);
  const known = await before.load(id);
  const after = await openChat({ project: before.project });
  const loaded = await after.load(id);
  expect(loaded.messages).toEqual(known.messages);
  expect(loaded.active).toEqual(known.active);
});
