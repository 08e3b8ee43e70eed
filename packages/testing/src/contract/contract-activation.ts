import assert from "node:assert/strict";
import { usageOf } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, timesTold } from "./contract-conversation.ts";
import { ACTIVATE_TEA, COFFEE, TEA } from "./contract-skills.ts";

/** Results of activating a skill, once and again. */
export const activationScenarios: readonly ContractScenario[] = [
  {
    id: "activation",
    title: "Activating a skill returns its wrapped instructions",
    run: (adapter) =>
      converse(adapter, { skills: [TEA], script: [ACTIVATE_TEA, { say: "Done." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        assert.deepEqual(resultsIn(lastRequest(model)), [`<skill_content name="tea">\n${TEA.body}\n</skill_content>`]);
        const { session } = agent;
        assert.deepEqual(session.active, ["tea"]);
        const entry = session.ledger.entries.find(({ type }) => type === "skill-activated");
        assert.equal(entry?.type === "skill-activated" && entry.by, "model");
        const [usage] = usageOf(session.ledger.entries);
        assert.equal(usage?.activated, 1);
        assert.ok(usage.tokens > 0);
      }),
  },
  {
    id: "unknown-skill",
    title: "An unknown skill is an error that lists the available skills, and the conversation continues",
    run: (adapter) => {
      const script = [{ call: "activate_skill", input: { name: "cocoa" } }, ACTIVATE_TEA, { say: "Tea it is." }];
      return converse(adapter, { skills: [TEA, COFFEE], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Cocoa, please."), "Tea it is.");
        const [error, activation] = resultsIn(lastRequest(model));
        assert.equal(error, "Unknown skill 'cocoa'. Available: tea, coffee.");
        assert.match(activation ?? "", /Steep the leaves/);
        assert.deepEqual(agent.session.active, ["tea"]);
        const failure = agent.session.ledger.entries.find(({ type }) => type === "operation-failed");
        assert.equal(failure?.type === "operation-failed" && failure.code, "skill-not-found");
      });
    },
  },
  {
    id: "bad-arguments",
    title: "An operation without its arguments returns an error that names the missing one",
    run: (adapter) => {
      const script = [{ call: "activate_skill", input: {} }, { say: "Sorry." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Sorry.");
        assert.deepEqual(resultsIn(lastRequest(model)), ["'name' must be a string."]);
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
  {
    id: "parallel",
    title: "Parallel calls each get their own result",
    run: (adapter) => {
      const coffee = { call: "activate_skill", input: { name: "coffee" } };
      const script = [
        { calls: [ACTIVATE_TEA, coffee, { call: "activate_skill", input: { name: "cocoa" } }] },
        { say: "Done." },
      ];
      return converse(adapter, { skills: [TEA, COFFEE], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Everything, please."), "Done.");
        const [first, second, third, ...others] = resultsIn(lastRequest(model));
        assert.ok(first?.includes(TEA.body), first);
        assert.ok(second?.includes(COFFEE.body), second);
        assert.match(third ?? "", /^Unknown skill 'cocoa'/);
        assert.deepEqual(others, []);
        assert.deepEqual([...agent.session.active].sort(), ["coffee", "tea"]);
      });
    },
  },
  {
    id: "instructions-cut",
    title: "Instructions over the limit are cut, with a notice",
    run: (adapter) => {
      const setup = {
        skills: [TEA],
        session: { limits: { skillMdBytes: 9 } },
        script: [ACTIVATE_TEA, { say: "Done." }],
      };
      return converse(adapter, setup, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const [text = ""] = resultsIn(lastRequest(model));
        assert.match(text, /Steep the\n\n\[SKILL\.md is cut here: 26 of 35 bytes were removed\.\]/);
      });
    },
  },
  {
    id: "not-twice",
    title: "A second activation only says that the instructions are already in the conversation",
    needs: "observe",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, ACTIVATE_TEA, { say: "First." }, ACTIVATE_TEA, { say: "Second." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "First.");
        assert.equal(await agent.say("More tea, please."), "Second.");
        const [first, ...others] = resultsIn(lastRequest(model));
        assert.ok(first?.includes(TEA.body), first);
        assert.equal(others.length, 2);
        for (const text of others) assert.match(text, /^Skill 'tea' is already active/);
        assert.equal(timesTold(lastRequest(model), TEA.body), 1);
      });
    },
  },
  {
    id: "twice-at-once",
    title: "Two parallel activations of one skill return its instructions once",
    needs: "observe",
    run: (adapter) => {
      const script = [{ calls: [ACTIVATE_TEA, ACTIVATE_TEA] }, { say: "Done." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const [first, second] = resultsIn(lastRequest(model));
        assert.ok(first?.includes(TEA.body), first);
        assert.match(second ?? "", /^Skill 'tea' is already active/);
        assert.equal(timesTold(lastRequest(model), TEA.body), 1);
      });
    },
  },
  {
    id: "again-when-dropped",
    title: "After the history is dropped, the instructions of an active skill are sent again, once",
    needs: "history",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "First.");
        assert.equal(await agent.say("More tea, please.", { history: "drop" }), "First.");
        const request = lastRequest(model);
        assert.equal(timesTold(request, TEA.body), 1, request.system);
        assert.ok(!request.messages.some(({ text }) => text === "Tea, please."));
      });
    },
  },
  {
    id: "deactivation",
    title: "A model can deactivate a skill only if the host enables that",
    run: async (adapter) => {
      await converse(adapter, { skills: [TEA], script: [{ say: "Hello." }] }, async ({ agent, model }) => {
        await agent.say("Hi.");
        assert.ok(!lastRequest(model).tools.includes("deactivate_skill"));
      });
      const include = ["activate_skill", "deactivate_skill"] as const;
      const script = [ACTIVATE_TEA, { call: "deactivate_skill", input: { name: "tea" } }, { say: "Done." }];
      await converse(adapter, { skills: [TEA], operations: { include }, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, and that is all."), "Done.");
        assert.equal(resultsIn(lastRequest(model))[1], "Skill 'tea' is no longer active.");
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
];
