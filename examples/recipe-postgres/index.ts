import assert from "node:assert/strict";

// #region program
import { PGlite } from "@electric-sql/pglite";
import { createSkillset, defineSkill, type SessionState, type SessionStore } from "skillset";

const database = new PGlite(); // with a server: new Pool({ connectionString }) of `pg`
await database.query(`create table if not exists skill_sessions (
  id text primary key,
  state json not null,
  updated_at timestamptz not null default now()
)`);

const store: SessionStore = {
  async load(id) {
    const sql = "select state from skill_sessions where id = $1";
    const { rows } = await database.query<{ state: SessionState }>(sql, [id]);
    return rows[0]?.state;
  },
  async save(id, state) {
    const sql = `insert into skill_sessions (id, state) values ($1, $2)
      on conflict (id) do update set state = excluded.state, updated_at = now()`;
    await database.query(sql, [id, JSON.stringify(state)]);
  },
};

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const skills = await createSkillset([tea]);
const session = await skills.session({ id: "ann:chat-1", store });
await session.activate("tea");
const continued = await skills.session({ id: "ann:chat-1", store }); // in any process
console.log(continued.active); // ["tea"]
await database.query("delete from skill_sessions where updated_at < now() - interval '90 days'"); // now and then
// #endregion

assert.deepEqual(continued.active, ["tea"]);
assert.deepEqual((await skills.session({ id: "bob:chat-1", store })).active, []);
// What a session stores comes back as it was, also when it is stored again.
const turn = await continued.turn([{ role: "user", text: "Tea?" }]);
const state = await store.load("ann:chat-1");
assert(state?.catalog);
await store.save("copy", state);
assert.equal(JSON.stringify(await store.load("copy")), JSON.stringify(state));
const again = await (await skills.session({ id: "copy", store })).turn([{ role: "user", text: "Tea?" }]);
assert.equal(again.instructions, turn.instructions);
assert.deepEqual(again.messages, turn.messages);
const { rows } = await database.query("select id from skill_sessions order by id");
assert.deepEqual(rows, [{ id: "ann:chat-1" }, { id: "copy" }]);
await database.close();
