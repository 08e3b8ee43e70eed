import assert from "node:assert/strict";
import { usageOf } from "../../core/session/usage.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, sentMessages, timesTold, toldIn } from "./contract-conversation.ts";
import { ACTIVATE_TEA, COFFEE, RELEASE, TEA } from "./contract-skills.ts";

/** What the model is shown before it has chosen a skill, and how that stays the same. */
export const catalogScenarios: readonly ContractScenario[] = [
  {
    id: "no-skills",
    title: "Without skills nothing is said of them, and nothing is offered",
    needs: "empty-offer",
    run: (adapter) =>
      converse(adapter, { skills: [], script: [{ say: "Hello." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("Hi."), "Hello.");
        const { system, tools, messages, body } = lastRequest(model);
        assert.deepEqual({ system, tools }, { system: "", tools: [] });
        // An empty system message is refused by some endpoints.
        assert.doesNotMatch(JSON.stringify(body), /"role":"(?:system|developer)"/);
        assert.deepEqual(messages, [{ role: "user", text: "Hi." }]);
        assert.deepEqual(agent.session.ledger, []);
      }),
  },
  {
    id: "catalog",
    title: "The catalog stands beside the host's instructions, with descriptions and without bodies",
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
          usageOf(agent.session.ledger).map(({ skill }) => skill),
          ["tea", "coffee"],
        );
      });
    },
  },
  {
    id: "hidden",
    title: "A skill that is hidden from models is not listed, not offered and not found",
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
    title: "The rules name the operations that are on offer, and no others",
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
    title: "An operation answers to its alias, and so do its arguments",
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
    title: "Later turns begin with the same bytes, so that prompt caches hold",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }, { say: "Second." }, { say: "Third." }];
      const setup = { skills: [TEA, COFFEE], instructions: "You are a waiter.", script };
      return converse(adapter, setup, async ({ agent, model }) => {
        for (const text of ["Tea, please.", "Thanks.", "Bye."]) await agent.say(text);
        const [start, , second, third] = model.requests;
        assert.ok(start && second && third, "Four requests were expected.");
        // An agent that keeps the history has everything that it was told in one text, which only grows.
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
    title: "The next turn names the skills that are active",
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
    title: "A skill that joins the set in mid-conversation can be activated",
    run: (adapter) => {
      const script = [{ say: "Hello." }, { call: "activate_skill", input: { name: "coffee" } }, { say: "Done." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.update(await createSkillset([TEA, COFFEE]));
        assert.equal(await agent.say("Coffee, please."), "Done.");
        assert.match(resultsIn(lastRequest(model))[0] ?? "", /Grind the beans/);
        assert.deepEqual(agent.session.active, ["coffee"]);
      });
    },
  },
  {
    id: "set-changes-told",
    title: "The catalog keeps its bytes when the set changes, and the next message says what is new or gone",
    needs: "notice",
    run: (adapter) => {
      const script = [{ say: "First." }, { say: "Second." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.update(await createSkillset([COFFEE]));
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
    title: "A skill that is gone and comes back is reported as gone once, and then as new once",
    needs: "notice",
    run: (adapter) => {
      const script = ["First.", "Second.", "Third.", "Fourth."].map((say) => ({ say }));
      return converse(adapter, { skills: [TEA, COFFEE], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.update(await createSkillset([TEA]));
        await agent.say("And now?");
        await agent.session.update(await createSkillset([TEA, COFFEE]));
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
    title: "A conversation that begins without skills gets the rules with the first skill",
    needs: "notice",
    run: (adapter) => {
      const script = [{ say: "Hello." }, ACTIVATE_TEA, { say: "Done." }];
      return converse(adapter, { skills: [], script }, async ({ agent, model }) => {
        await agent.say("Hi.");
        await agent.session.update(await createSkillset([TEA]));
        assert.equal(await agent.say("Tea, please."), "Done.");
        const told = toldIn(lastRequest(model));
        assert.ok(told.includes(TEA.description), told);
        assert.match(told, /Call `\S*activate_skill` with the skill's name/);
      });
    },
  },
];
