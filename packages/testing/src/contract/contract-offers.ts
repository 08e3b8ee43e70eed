import assert from "node:assert/strict";
import { usageOf } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, toolCall } from "./contract-conversation.ts";
import { ACTIVATE_TEA, brewing } from "./contract-skills.ts";

const TEA_MAKER = brewing("tea", () => "tea");

/** Which tools are available, and their names. */
export const offerScenarios: readonly ContractScenario[] = [
  {
    id: "tool-unknown",
    title: "An unknown tool is an error that lists the skill's tools",
    run: (adapter) => {
      const include = ["activate_skill", "call_skill_tool"] as const;
      const call = { call: "call_skill_tool", input: { skill: "tea", tool: "boil", input: {} } };
      const script = [call, { say: "Done." }];
      return converse(adapter, { skills: [TEA_MAKER], operations: { include }, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Boil it."), "Done.");
        assert.deepEqual(resultsIn(lastRequest(model)), ["Skill 'tea' has no tool 'boil'. Its tools: brew."]);
        assert.deepEqual(lastRequest(model).tools, include);
      });
    },
  },
  {
    id: "host-tools",
    title: "A host's function keeps its name and behaviour when a skill's tool has the same name",
    needs: "host-tools",
    run: (adapter) => {
      const inputSchema = { type: "object", properties: { cups: { type: "number" } } };
      const own = { name: "brew", description: "Brew beer", inputSchema, handler: () => "beer" };
      const calls = [{ call: "brew", input: { cups: 1 } }, toolCall(adapter, "tea", "brew", { cups: 1 })];
      const script = [ACTIVATE_TEA, { calls }, { say: "Done." }];
      return converse(adapter, { skills: [TEA_MAKER], tools: [own], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Brew both."), "Done.");
        assert.ok(lastRequest(model).tools.includes("brew"));
        assert.deepEqual(resultsIn(lastRequest(model)).slice(1), ["beer", "tea"]);
        assert.equal(usageOf(agent.session.ledger.entries)[0]?.called, 1);
      });
    },
  },
  {
    id: "own-tools",
    title: "A skill's tools are separate functions, available while the skill is active",
    needs: "own-tools",
    run: (adapter) => {
      const input = { name: "tea" };
      const script = [{ call: "activate_skill", input }, { call: "deactivate_skill", input }, { say: "Done." }];
      const operations = { include: ["activate_skill", "deactivate_skill"] } as const;
      return converse(adapter, { skills: [TEA_MAKER], operations, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, and that is all."), "Done.");
        const offered = model.requests.map(({ tools }) =>
          tools.filter((name) => !/^(?:de)?activate_skill$/.test(name)),
        );
        assert.deepEqual(offered, [[], ["tea__brew"], []]);
      });
    },
  },
  {
    id: "own-tools-taken",
    title: "A skill's tool gets another name if the host has a function with its name",
    needs: "own-tools",
    run: (adapter) => {
      const own = { name: "tea__brew", description: "Brews.", inputSchema: { type: "object" }, handler: () => "beer" };
      const calls = [{ call: "tea__brew" }, { call: "tea__brew_2", input: { cups: 1 } }];
      const script = [ACTIVATE_TEA, { calls }, { say: "Done." }];
      return converse(adapter, { skills: [TEA_MAKER], tools: [own], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Brew both."), "Done.");
        assert.deepEqual(resultsIn(lastRequest(model)).slice(1), ["beer", "tea"]);
      });
    },
  },
];
