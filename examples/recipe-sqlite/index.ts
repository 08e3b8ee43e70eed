import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "recipe-sqlite-"));
const file = join(folder, "sessions.db");

// #region program
import { DatabaseSync } from "node:sqlite";
import { createSkillset, defineSkill, type SessionStore } from "skillset";

function openStore(path: string): SessionStore {
  const database = new DatabaseSync(path, { timeout: 5_000 }); // waits while another process writes
  database.exec("pragma journal_mode = wal");
  database.exec("create table if not exists skill_sessions (id text primary key, state text not null) strict");
  const select = database.prepare("select state from skill_sessions where id = ?");
  const upsert = database.prepare(
    "insert into skill_sessions values (?, ?) on conflict (id) do update set state = excluded.state",
  );
  return {
    async load(id) {
      const row = select.get(id);
      return row && JSON.parse(String(row.state));
    },
    async save(id, state) {
      upsert.run(id, JSON.stringify(state));
    },
  };
}

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const skills = await createSkillset([tea]);
const session = await skills.session({ id: "ann:chat-1", store: openStore(file) });
await session.activate("tea");
// #endregion

// As after a restart.
const store = openStore(file);
const continued = await skills.session({ id: "ann:chat-1", store });
assert.deepEqual(continued.active, ["tea"]);
assert.deepEqual((await skills.session({ id: "bob:chat-1", store })).active, []);
const turn = await session.turn([{ role: "user", text: "Tea?" }]);
const again = await (await skills.session({ id: "ann:chat-1", store })).turn([{ role: "user", text: "Tea?" }]);
assert.equal(again.instructions, turn.instructions);
assert.deepEqual(again.messages, turn.messages);
rmSync(folder, { recursive: true });
