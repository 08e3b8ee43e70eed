import assert from "node:assert/strict";
import { defineSkill } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn } from "./contract-conversation.ts";
import { ACTIVATE_TEA, COFFEE, TEA } from "./contract-skills.ts";

/** More skills than a catalog lists by name alone. */
const SHELVES = Array.from({ length: 300 }, (_, index) =>
  defineSkill({
    name: `shelf-${index}`,
    description: `Knows the books on shelf ${index} of the library.`,
    body: "Look at the shelf.",
  }),
);
const MANY = { skills: [...SHELVES, TEA, COFFEE], catalogBudget: { tokens: 100 } };

/** How a model reaches skills that the catalog does not list. */
export const searchScenarios: readonly ContractScenario[] = [
  {
    id: "search",
    title: "A skill that the catalog omits is found with a search and activated",
    run: (adapter) => {
      const script = [{ call: "search_skills", input: { query: "makes tea" } }, ACTIVATE_TEA, { say: "Done." }];
      return converse(adapter, { ...MANY, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("I am thirsty."), "Done.");
        const [first, second] = model.requests;
        assert.ok(first && second);
        assert.ok(!first.system.includes(TEA.description), first.system);
        assert.match(first.system, /call `\S*search_skills` with the task in words/);
        assert.ok(first.tools.includes("search_skills"), first.tools.join(", "));
        assert.match(resultsIn(second)[0] ?? "", /^- \*\*tea\*\*: Makes tea\. .*\(matches: .*tea\)/);
        assert.match(resultsIn(lastRequest(model)).at(-1) ?? "", /Steep the leaves/);
        assert.deepEqual(agent.session.active, ["tea"]);
        const found = agent.session.ledger.entries.find(({ type }) => type === "skills-searched");
        assert.equal(found?.type === "skills-searched" && found.skills[0], "tea");
      });
    },
  },
  {
    id: "search-nothing",
    title: "A search without results is an answer, and the conversation continues",
    run: (adapter) => {
      const script = [{ call: "search_skills", input: { query: "quantum chromodynamics" } }, { say: "I cannot." }];
      return converse(adapter, { ...MANY, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Explain gluons."), "I cannot.");
        assert.match(resultsIn(lastRequest(model))[0] ?? "", /^No skill fits\./);
        assert.ok(!agent.session.ledger.entries.some(({ type }) => type === "operation-failed"));
      });
    },
  },
  {
    id: "search-wrong-name",
    title: "A wrong name among many skills gets the nearest name and the way to search",
    run: (adapter) => {
      const script = [{ call: "activate_skill", input: { name: "Coffees" } }, { say: "I see." }];
      return converse(adapter, { ...MANY, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Coffee, please."), "I see.");
        assert.deepEqual(resultsIn(lastRequest(model)), [
          "Unknown skill 'Coffees'. Did you mean 'coffee'? Find skills with `search_skills`.",
        ]);
      });
    },
  },
  {
    id: "search-not-needed",
    title: "A catalog that lists every skill comes without a search",
    needs: "empty-offer",
    run: (adapter) =>
      converse(adapter, { skills: [TEA, COFFEE], script: [{ say: "Hello." }] }, async ({ agent, model }) => {
        await agent.say("Hi.");
        const { system, tools } = lastRequest(model);
        assert.ok(!tools.includes("search_skills") && !system.includes("search_skills"), system);
      }),
  },
];
