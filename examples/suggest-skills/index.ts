import assert from "node:assert/strict";

// #region program
import { createSkillset, defineSkill } from "skillset";

const topics = ["violin", "orchid", "glacier", "harbour", "comet", "saddle", "lantern", "meadow"];
const skills = await createSkillset([
  ...topics.map((name) => defineSkill({ name, description: `Studies every ${name} in the world.`, body: "" })),
  defineSkill({ name: "bake-bread", description: "Bakes sourdough bread from a starter.", body: "Feed the starter." }),
  defineSkill({ name: "pay-bills", description: "Pays the bills of suppliers by bank transfer.", body: "Log in." }),
]);
const session = await skills.session();
session.ledger.on("skills-suggested", (entry) => console.log(entry.skills)); // ["pay-bills", "bake-bread"]

const turn = await session.turn(
  [{ role: "user", text: "Bake sourdough bread for tomorrow, and then pay the bills of our suppliers." }],
  { suggest: true, catalog: { budget: { tokens: 60 } } }, // too small for all descriptions
);
console.log(turn.catalog.omitted, turn.catalog.nameOnly); // what the catalog does not describe
console.log(turn.messages[0]?.text); // a notice with both descriptions, then the message
// #endregion
const [suggested] = session.ledger.entries.flatMap((entry) =>
  entry.type === "skills-suggested" ? [entry.skills] : [],
);
assert.deepEqual([...(suggested ?? [])].sort(), ["bake-bread", "pay-bills"]);
assert.match(turn.messages[0]?.text ?? "", /^<skill_notice>[\s\S]*Bakes sourdough bread[\s\S]*\n\nBake sourdough/);
assert.deepEqual(session.active, []);
