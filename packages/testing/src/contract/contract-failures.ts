import assert from "node:assert/strict";
import { createSkillset } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, timesTold, toldIn } from "./contract-conversation.ts";
import { ACTIVATE_TEA, TEA } from "./contract-skills.ts";

/** Failures that leave the conversation usable. */
export const failureScenarios: readonly ContractScenario[] = [
  {
    id: "unreadable",
    title: "An active skill that can no longer be read does not stop the conversation",
    needs: "history",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Tea, please.");
        const instructions = () => Promise.reject(new Error("The folder /home/ann/tea is gone."));
        await agent.session.use(await createSkillset([Object.freeze({ ...TEA, instructions })]));
        assert.equal(await agent.say("Continue.", { history: "drop" }), "First.");
        assert.match(toldIn(lastRequest(model)), /The folder <path> is gone\./);
      });
    },
  },
  {
    id: "budget",
    title: "An activation over the session's budget is refused with an error, and the conversation continues",
    needs: "budget",
    run: (adapter) => {
      const setup = {
        skills: [TEA],
        session: { budget: { tokens: 3 } },
        script: [ACTIVATE_TEA, { say: "Without, then." }],
      };
      return converse(adapter, setup, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Without, then.");
        assert.match(
          resultsIn(lastRequest(model))[0] ?? "",
          /^Activating 'tea' takes about \d+ tokens, but only 3 of 3 /,
        );
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
  {
    id: "model-refuses",
    title: "A model that rejects a request is an error for the caller, and the session stays usable",
    run: (adapter) => {
      const script = [{ fail: { status: 400, message: "Bad request" } }, { say: "Better." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent }) => {
        await assert.rejects(agent.say("Hi."));
        assert.equal(await agent.say("Hi."), "Better.");
      });
    },
  },
  {
    id: "model-fails-once",
    title: "After a model fails once, the SDK or the caller retries",
    run: (adapter) => {
      const script = [{ fail: { status: 500, message: "Overloaded" } }, { say: "Better." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent }) => {
        assert.equal(await agent.say("Hi.").catch(() => agent.say("Hi.")), "Better.");
      });
    },
  },
  {
    id: "model-babbles",
    title: "An unreadable answer is an error for the caller, and the session stays usable",
    run: (adapter) => {
      const script = [{ garbage: "data: {nonsense\n\n" }, { say: "Better." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent }) => {
        await assert.rejects(agent.say("Hi."));
        assert.equal(await agent.say("Hi."), "Better.");
      });
    },
  },
  {
    id: "model-fails-later",
    title: "A skill that was activated before the model failed stays active, and its instructions are sent once",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { fail: { status: 400, message: "Bad request" } }, { say: "Done." }];
      const pace = adapter.lacks?.notice === undefined ? "global" : "conversation";
      return converse(adapter, { skills: [TEA], script, pace }, async ({ agent, model }) => {
        await assert.rejects(agent.say("Tea, please."));
        assert.deepEqual(agent.session.active, ["tea"]);
        assert.equal(await agent.say("Tea, please."), "Done.");
        assert.equal(timesTold(lastRequest(model), TEA.body), 1);
      });
    },
  },
];
