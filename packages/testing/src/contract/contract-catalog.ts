import assert from "node:assert/strict";
import { createSkillset, usageOf } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, sentMessages, timesTold, toldIn } from "./contract-conversation.ts";
import { ACTIVATE_TEA, COFFEE, RELEASE, TEA } from "./contract-skills.ts";

/** What the model sees before it activates a skill, and that it does not change. */
export const catalogScenarios: readonly ContractScenario[] = [
  {
    id: "no-skills",
    title: "Without skills, there is no catalog and there are no operations",
    needs: "empty-offer",
    run: (adapter) =>
      converse(adapter, { skills: [], script: [{ say: "Hello." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("Hi."), "Hello.");
        const { system, tools, messages, body } = lastRequest(model);
        assert.deepEqual({ system, tools }, { system: "", tools: [] });
        // Some endpoints reject an empty system message.
        assert.doesNotMatch(JSON.stringify(body), /"role":"(?:system|developer)"/);
        assert.deepEqual(messages, [{ role: "user", text: "Hi." }]);
        assert.deepEqual(agent.session.ledger.entries, []);
      }),
  },
  {
    id: "catalog",
    title: "The catalog follows the host's instructions, with descriptions and without bodies",
    run: (adapter) => {
      const setup = { skills: [TEA, COFFEE], instructions: "You are a waiter.", script: [{ say: "Hello." }] };
      return converse(adapter, setup, async ({ agent, model }) => {
        assert.equal(await agent.say("Hi."), "Hello.");
        const { system, body } = lastRequest(model);
        assert.ok(system.includes("You are a waiter."), system);
        for (const { name, description } of [TEA, COFFEE]) {
          assert.ok(system.includes(name) && system.includes(description), system);
        }
        assert.ok(!JSON.stringify(body).includes(TEA.body));
        assert.deepEqual(agent.session.active, []);
        assert.deepEqual(
          usageOf(agent.session.ledger.entries).map(({ skill }) => skill),
          ["tea", "coffee"],
        );
      });
    },
  },
  {
    id: "other-system",
    title: "A system prompt in the other place that the SDK has for it reaches the model, once, with the catalog",
    needs: "other-system",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "Done." }];
      return converse(adapter, { skills: [TEA], system: "You are a waiter.", script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Make tea."), "Done.");
        assert.equal(model.requests.length, 2);
        for (const { body } of model.requests) {
          const sent = JSON.stringify(body);
          assert.equal(sent.split("You are a waiter.").length, 2, sent);
          assert.ok(sent.includes(TEA.description), sent);
        }
      });
    },
  },
  {
    id: "hidden",
    title: "A skill that is hidden from models is neither listed nor found",
    run: (adapter) => {
      const script = [{ call: "activate_skill", input: { name: "release" } }, { say: "I cannot." }];
      return converse(adapter, { skills: [TEA, RELEASE], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Release it."), "I cannot.");
        assert.ok(!JSON.stringify({ ...model.requests[0]?.body }).includes(RELEASE.name));
        assert.deepEqual(resultsIn(lastRequest(model)), ["Unknown skill 'release'. Available: tea."]);
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
  {
    id: "rules",
    title: "The rules name exactly the available operations",
    run: async (adapter) => {
      for (const include of [["activate_skill"], ["activate_skill", "read_skill_file"]] as const) {
        const setup = { skills: [TEA], operations: { include }, script: [{ say: "Hello." }] };
        await converse(adapter, setup, async ({ agent, model }) => {
          await agent.say("Hi.");
          const { system, tools } = lastRequest(model);
          assert.deepEqual(tools, include);
          assert.deepEqual(new Set(system.match(/\b[a-z]+_skill(?:_[a-z]+)?\b/g)), new Set(include));
        });
      }
    },
  },
  {
    id: "aliases",
    title: "An operation and its arguments can have aliases",
    run: (adapter) => {
      const aliases = { activate_skill: { name: "load_skill", arguments: { name: "skill_name" } } };
      const script = [{ call: "load_skill", input: { skill_name: "tea" } }, { say: "Done." }];
      return converse(adapter, { skills: [TEA], operations: { aliases }, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const { system, tools } = lastRequest(model);
        assert.ok(system.includes("`load_skill`"), system);
        assert.ok(!tools.includes("activate_skill") && !system.includes("activate_skill"));
        assert.match(resultsIn(lastRequest(model))[0] ?? "", /Steep the leaves/);
        assert.deepEqual(agent.session.active, ["tea"]);
      });
    },
  },
  {
    id: "prompt-cache",
    title: "Later turns start with the same bytes, so that prompt caches stay valid",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }, { say: "Second." }, { say: "Third." }];
      const setup = { skills: [TEA, COFFEE], instructions: "You are a waiter.", script };
      return converse(adapter, setup, async ({ agent, model }) => {
        for (const text of ["Tea, please.", "Thanks.", "Bye."]) await agent.say(text);
        const [start, , second, third] = model.requests;
        assert.ok(start && second && third, "Four requests were expected.");
        // An agent that keeps the history puts all messages into one text, which only grows.
        const isKept = adapter.lacks?.history !== undefined;
        for (const { system } of [second, third])
          assert.ok(isKept ? system.startsWith(start.system) : system === start.system, system);
        assert.deepEqual(third.tools, start.tools);
        const requests = model.requests.map(sentMessages);
        for (const [index, messages] of requests.slice(1).entries()) {
          const before = requests[index] ?? [];
          assert.deepEqual(messages.slice(0, before.length), before);
        }
      });
    },
  },
  {
    id: "active-named",
    title: "The next turn names the active skills",
    needs: "notice",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }, { say: "Second." }];
      return converse(adapter, { skills: [TEA, COFFEE], script }, async ({ agent, model }) => {
        await agent.say("Tea, please.");
        assert.ok(!lastRequest(model).system.includes("activated_skill_names"));
        assert.equal(await agent.say("Thanks."), "Second.");
        assert.equal(timesTold(lastRequest(model), "(activated_skill_names): tea."), 1);
      });
    },
  },
  {
    id: "set-grows",
    title: "A skill that is added during the conversation can be activated",
    run: (adapter) => {
      const script = [{ say: "Hello." }, { call: "activate_skill", input: { name: "coffee" } }, { say: "Done." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.use(await createSkillset([TEA, COFFEE]));
        assert.equal(await agent.say("Coffee, please."), "Done.");
        assert.match(resultsIn(lastRequest(model))[0] ?? "", /Grind the beans/);
        assert.deepEqual(agent.session.active, ["coffee"]);
      });
    },
  },
  {
    id: "set-changes-told",
    title: "The catalog keeps its bytes when the set changes, and the next message lists new and removed skills",
    needs: "notice",
    run: (adapter) => {
      const script = [{ say: "First." }, { say: "Second." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.use(await createSkillset([COFFEE]));
        await agent.say("Anything new?");
        const [first, second] = model.requests;
        assert.ok(first && second && first.system.includes(TEA.description));
        assert.ok(second.system.startsWith(first.system), second.system);
        assert.equal(timesTold(second, COFFEE.description), 1);
        assert.equal(timesTold(second, "These skills are gone: tea."), 1);
      });
    },
  },
  {
    id: "told-once",
    title: "A skill that is removed and added again is reported as gone once, then as new once",
    needs: "notice",
    run: (adapter) => {
      const script = ["First.", "Second.", "Third.", "Fourth."].map((say) => ({ say }));
      return converse(adapter, { skills: [TEA, COFFEE], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.use(await createSkillset([TEA]));
        await agent.say("And now?");
        await agent.session.use(await createSkillset([TEA, COFFEE]));
        await agent.say("And now again?");
        assert.equal(await agent.say("Bye."), "Fourth.");
        const request = lastRequest(model);
        assert.equal(timesTold(request, "These skills are gone: coffee."), 1);
        assert.equal(timesTold(request, "These skills are new:"), 1);
        assert.equal(timesTold(request, COFFEE.description), 2);
      });
    },
  },
  {
    id: "first-skill-later",
    title: "A conversation that starts without skills gets the rules with the first skill",
    needs: "notice",
    run: (adapter) => {
      const script = [{ say: "Hello." }, ACTIVATE_TEA, { say: "Done." }];
      return converse(adapter, { skills: [], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.use(await createSkillset([TEA]));
        assert.equal(await agent.say("Tea, please."), "Done.");
        const told = toldIn(lastRequest(model));
        assert.ok(told.includes(TEA.description), told);
        assert.match(told, /Call `\S*activate_skill` with the skill's name/);
      });
    },
  },
];
