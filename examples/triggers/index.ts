import assert from "node:assert/strict";

process.chdir(import.meta.dirname);

// #region program
import { createSkillset } from "skillset";

const skills = await createSkillset(["./skills"]);
const session = await skills.session({ triggers: "activate" });
session.ledger.on("skill-triggered", ({ skill, kind, trigger }) => console.log(`${skill}: ${kind} '${trigger}'`));

const turn = await session.turn([{ role: "user", text: "We are brewing something hot." }]); // brew-tea: verb 'brew'
console.log(turn.messages[0]?.text); // the instructions, then the message
console.log(session.active); // ["brew-tea"]

const careful = await skills.session({ triggers: "suggest" });
const other = await careful.turn([{ role: "user", text: "お茶をください" }]);
console.log(other.messages[0]?.text); // a notice that names brew-tea, then the message
// #endregion
assert.deepEqual(session.active, ["brew-tea"]);
assert.match(
  turn.messages[0]?.text ?? "",
  /^<skill_content name="brew-tea">[\s\S]*\n\nWe are brewing something hot\.$/,
);
assert.match(other.messages[0]?.text ?? "", /may fit this message: brew-tea\.[\s\S]*お茶をください$/);
assert.deepEqual(careful.active, []);
assert.deepEqual(
  session.ledger.entries.flatMap((entry) => (entry.type === "skill-triggered" ? [entry.trigger] : [])),
  ["brew"],
);

const named = await skills.session();
const invoked = await named.turn([{ role: "user", text: '/brew-tea "green sencha" 2' }]);
assert.match(invoked.messages[0]?.text ?? "", /Kind: green sencha, cups: 2\./);
