import assert from "node:assert/strict";
// #region program
import { createOperations, createSkillset, MemorySessionStore, skill } from "skillset";

const store = new MemorySessionStore(); // or your own: load(id), save(id, state)
const notes = skill({
  name: "notes",
  description: "Takes notes. Use when asked to note something.",
  body: "Note: $ARGUMENTS",
});
const skills = await createSkillset([notes]);
const session = await skills.session({ id: "chat-1", store });

console.log(session.prompt()); // the catalog, how to use it, and what is active
const [activate] = createOperations(session); // for a model: name, JSON schema, execute
console.log(await activate?.execute({ name: "notes" })); // { isError: false, text, data }
const asked = session.invocation("/notes buy milk"); // for people: a message that starts with a skill's name
console.log(asked?.skill.name, asked?.arguments);
// #endregion
assert.match(session.prompt(), /activated_skill_names\): notes/);
assert.deepEqual((await skills.session({ id: "chat-1", store })).active, ["notes"]);
assert.equal(asked?.arguments, "buy milk");
assert.match((await session.activate("notes", { by: "user", arguments: asked.arguments })).text, /Note: buy milk/);
