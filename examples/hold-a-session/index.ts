import assert from "node:assert/strict";
// #region program
import { createSkillset, defineSkill, MemorySessionStore } from "skillset";

const store = new MemorySessionStore(); // or your own: load(id), save(id, state)
const notes = defineSkill({
  name: "notes",
  description: "Takes notes. Use when asked to note something.",
  body: "Note: $ARGUMENTS",
});
const skills = await createSkillset([notes]);
const session = await skills.session({ id: "chat-1", store });

const turn = await session.turn([{ role: "user", text: "Please note: buy milk." }]);
console.log(turn.instructions); // the catalog and its rules, for the system prompt
console.log(turn.messages); // the messages to send, here unchanged
const activate = turn.tools.find(({ id }) => id === "activate_skill"); // name, JSON schema, execute
console.log(await activate?.execute({ name: "notes" })); // { isError: false, text, data }

const next = await session.turn([{ role: "user", text: "/notes feed the cat" }]); // a user invokes the skill
console.log(next.invoked[0]?.skill.name, next.messages[0]?.text); // its instructions, with the arguments filled in
// #endregion
assert.match(turn.instructions, /<name>notes<\/name>/);
assert.deepEqual((await skills.session({ id: "chat-1", store })).active, ["notes"]);
assert.equal(next.invoked[0]?.arguments, "feed the cat");
assert.match(next.messages[0]?.text ?? "", /Note: feed the cat/);
assert.equal(next.instructions, turn.instructions);
