import assert from "node:assert/strict";

// #region program
import { createSkillset, defineSkill, type EmbedFunction } from "skillset";

// Any AI SDK model works: openai.embedding("text-embedding-3-small"). This one knows three topics.
const topics = [/cat|kitten|feline/i, /bill|invoice/i, /bread|loaf/i];
const model: EmbedFunction = async (texts) => texts.map((text) => topics.map((topic) => (topic.test(text) ? 1 : 0)));

const skills = await createSkillset(
  [
    defineSkill({ name: "cat-care", description: "Cares for a cat.", body: "Feed it." }),
    defineSkill({ name: "pay-invoices", description: "Pays every invoice.", body: "Log in." }),
    defineSkill({ name: "bake-bread", description: "Bakes bread.", body: "Knead it." }),
  ],
  { embedding: { model, timeout: 2_000 } },
);
const [first] = await skills.rank("my kitten is hungry");
console.log(first?.skill.name, first?.matched); // cat-care []: found by meaning, not by its words
// #endregion
assert.equal(first?.skill.name, "cat-care");
assert.deepEqual(first.matched, []);
