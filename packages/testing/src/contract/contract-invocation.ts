import assert from "node:assert/strict";
import { createSkillset } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import {
  converse,
  lastRequest,
  resultsIn,
  sentMessages,
  timesTold,
  toldIn,
  toolCall,
} from "./contract-conversation.ts";
import { COCOA, COFFEE, HOUSE_RULES, LETTER, NOTES, RELEASE, TEA } from "./contract-skills.ts";

/** Effects of a user's `/name`. */
export const invocationScenarios: readonly ContractScenario[] = [
  {
    id: "invocation",
    title: "A message that starts with a skill's name is replaced by its instructions, with the arguments filled in",
    needs: "invocation",
    run: (adapter) =>
      converse(adapter, { skills: [TEA, NOTES], script: [{ say: "Noted." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("/notes buy milk"), "Noted.");
        const request = lastRequest(model);
        const said = request.messages.map(({ text }) => text).join("\n");
        assert.ok(said.includes('<skill_content name="notes">\nWrite down: buy milk\n</skill_content>'), said);
        assert.ok(!toldIn(request).includes("/notes"));
      }),
  },
  {
    id: "invoked-active",
    title: "A skill that a user invokes is active, and the ledger records who activated it",
    needs: "invoked-active",
    run: (adapter) =>
      converse(adapter, { skills: [TEA, NOTES], script: [{ say: "Noted." }] }, async ({ agent }) => {
        assert.equal(await agent.say("/notes buy milk"), "Noted.");
        assert.deepEqual(agent.session.active, ["notes"]);
        const entry = agent.session.ledger.entries.find(({ type }) => type === "skill-activated");
        assert.equal(entry?.type === "skill-activated" && entry.by, "user");
      }),
  },
  {
    id: "invocation-words",
    title: "Arguments without a placeholder in the instructions follow them",
    needs: "invocation",
    run: (adapter) =>
      converse(adapter, { skills: [TEA], script: [{ say: "Coming." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("/tea green, please"), "Coming.");
        const said = lastRequest(model)
          .messages.map(({ text }) => text)
          .join("\n");
        assert.match(said, /Steep the leaves[\s\S]*<\/skill_content>[\s\S]*\n\s*green, please$/);
      }),
  },
  {
    id: "invocation-stays",
    title: "In later turns an invocation keeps its bytes, and its instructions are not sent again",
    needs: "invocation",
    run: (adapter) => {
      const script = [{ say: "Noted." }, { say: "Bye." }];
      return converse(adapter, { skills: [NOTES], script }, async ({ agent, model }) => {
        await agent.say("/notes buy milk");
        assert.equal(await agent.say("Thanks."), "Bye.");
        const [first, second] = model.requests;
        assert.ok(first && second);
        const before = sentMessages(first);
        assert.deepEqual(sentMessages(second).slice(0, before.length), before);
        assert.equal(timesTold(second, "Write down: buy milk"), 1);
      });
    },
  },
  {
    id: "invocation-placeholders",
    title: "Single words of the arguments replace `$0`, `$ARGUMENTS[0]` and named placeholders, quoted ones as a whole",
    needs: "invocation",
    run: (adapter) =>
      converse(adapter, { skills: [LETTER], script: [{ say: "Written." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say('/letter "Ada Lovelace" kind'), "Written.");
        const told = toldIn(lastRequest(model));
        assert.ok(
          told.includes("To Ada Lovelace, in a kind tone. Sign as $2. Dear Ada Lovelace, it costs $1.50."),
          told,
        );
      }),
  },
  {
    id: "invocation-several",
    title: "A message that starts with several names is replaced by the instructions of each skill, in that order",
    needs: "invoked-active",
    run: (adapter) => {
      const script = [{ say: "Noted." }, { say: "Bye." }];
      return converse(adapter, { skills: [TEA, COFFEE, NOTES], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("/notes /tea /notes buy milk"), "Noted.");
        const [first] = model.requests;
        assert.ok(first);
        const told = toldIn(first);
        assert.match(told, /Write down: buy milk[\s\S]*Steep the leaves[\s\S]*buy milk/);
        assert.ok(!told.includes("/tea") && !told.includes("/notes"));
        assert.deepEqual([timesTold(first, "Write down: "), timesTold(first, TEA.body)], [1, 1]);
        assert.equal(await agent.say("Thanks."), "Bye.");
        const before = sentMessages(first);
        assert.deepEqual(sentMessages(lastRequest(model)).slice(0, before.length), before);
        assert.deepEqual(agent.session.active, ["notes", "tea"]);
      });
    },
  },
  {
    id: "invocation-unknown",
    title: "An unknown name, or a name that is not at the start, is left unchanged",
    needs: "invocation",
    run: async (adapter) => {
      for (const text of ["/cocoa with milk", "Is /tea any good?", "/ tea"]) {
        await converse(adapter, { skills: [TEA], script: [{ say: "Hm." }] }, async ({ agent, model }) => {
          assert.equal(await agent.say(text), "Hm.");
          assert.deepEqual(lastRequest(model).messages, [{ role: "user", text }]);
          assert.deepEqual(agent.session.active, []);
        });
      }
    },
  },
  {
    id: "invocation-last",
    title: "Only the last message invokes a skill, not earlier ones",
    needs: "invocation",
    run: (adapter) => {
      const script = [{ say: "I do not know it." }, { say: "Hello." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("/coffee black");
        await agent.session.use(await createSkillset([TEA, COFFEE]));
        assert.equal(await agent.say("Hi."), "Hello.");
        assert.equal(lastRequest(model).messages[0]?.text, "/coffee black");
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
  {
    id: "invocation-hidden",
    title: "A user can invoke a skill that is hidden from models, and the model can use it from then on",
    needs: "invocation",
    run: (adapter) => {
      const script = [toolCall(adapter, "release", "tag", { version: "2" }), { say: "Released." }];
      return converse(adapter, { skills: [TEA, RELEASE], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("/release the new version"), "Released.");
        assert.ok(model.requests[0]?.messages.some(({ text }) => text.includes(RELEASE.body)));
        assert.deepEqual(resultsIn(lastRequest(model)), ["Tagged 2."]);
      });
    },
  },
  {
    id: "invocation-refused",
    title: "A user cannot invoke a skill that only models may activate",
    needs: "invocation",
    run: (adapter) => {
      const script = [{ call: "activate_skill", input: { name: "house-rules" } }, { say: "No shoes." }];
      return converse(adapter, { skills: [HOUSE_RULES], script }, async ({ agent, model }) => {
        assert.equal(await agent.say("/house-rules please"), "No shoes.");
        assert.deepEqual(lastRequest(model).messages[0], { role: "user", text: "/house-rules please" });
        assert.ok(resultsIn(lastRequest(model))[0]?.includes(HOUSE_RULES.body));
      });
    },
  },
  {
    id: "triggered",
    title: "A message that matches a trigger has the skill's instructions before its words, once and in later turns",
    needs: "invoked-active",
    run: (adapter) => {
      const setup = { skills: [TEA, COCOA], session: { triggers: "activate" } } as const;
      const script = [{ say: "Coming." }, { say: "Bye." }];
      return converse(adapter, { ...setup, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Cocoa, please."), "Coming.");
        const [first] = model.requests;
        assert.ok(first);
        assert.match(toldIn(first), /Melt the chocolate[\s\S]*Cocoa, please\./);
        assert.deepEqual(agent.session.active, ["cocoa"]);
        assert.equal(await agent.say("More cocoa!"), "Bye.");
        const before = sentMessages(first);
        assert.deepEqual(sentMessages(lastRequest(model)).slice(0, before.length), before);
        assert.equal(timesTold(lastRequest(model), COCOA.body), 1);
        assert.equal(agent.session.ledger.entries.filter(({ type }) => type === "skill-triggered").length, 1);
      });
    },
  },
  {
    id: "inject",
    title: "Without tools, the instructions of an invoked skill are in the prompt of that one request",
    needs: "inject",
    run: (adapter) => {
      const setup = { skills: [TEA, NOTES], mode: "inject", instructions: "You are a waiter." } as const;
      return converse(adapter, { ...setup, script: [{ say: "Noted." }, { say: "Bye." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("/notes buy milk"), "Noted.");
        const first = lastRequest(model);
        assert.deepEqual(first.tools, []);
        assert.deepEqual(first.messages, [{ role: "user", text: "buy milk" }]);
        assert.match(first.system, /^You are a waiter\.\s+<skill_content name="notes">\nWrite down: buy milk\n/);
        assert.equal(await agent.say("Thanks."), "Bye.");
        assert.equal(lastRequest(model).system, "You are a waiter.");
        assert.equal(lastRequest(model).messages[0]?.text, "buy milk");
        assert.deepEqual(agent.session.active, []);
        assert.deepEqual(agent.session.ledger.entries, []);
      });
    },
  },
  {
    id: "inject-several",
    title: "Without tools, the instructions of several invoked skills are in the prompt of that one request",
    needs: "inject",
    run: (adapter) => {
      const setup = { skills: [TEA, NOTES], mode: "inject" } as const;
      return converse(adapter, { ...setup, script: [{ say: "Noted." }] }, async ({ agent, model }) => {
        assert.equal(await agent.say("/tea /notes buy milk"), "Noted.");
        const { system, messages } = lastRequest(model);
        assert.match(system, /Steep the leaves[\s\S]*Write down: buy milk\n/);
        assert.deepEqual(messages, [{ role: "user", text: "buy milk" }]);
        assert.deepEqual(agent.session.active, []);
      });
    },
  },
  {
    id: "inject-always",
    title: "Without tools, the skills that the host names are in the prompt of every request",
    needs: "inject",
    run: (adapter) => {
      const setup = { skills: [TEA, COFFEE], mode: "inject", inject: ["tea"] } as const;
      return converse(
        adapter,
        { ...setup, script: [{ say: "First." }, { say: "Second." }] },
        async ({ agent, model }) => {
          await agent.say("Hi.");
          assert.equal(await agent.say("/coffee black"), "Second.");
          assert.deepEqual(
            model.requests.map((request) => timesTold(request, TEA.body)),
            [1, 1],
          );
          assert.deepEqual(
            model.requests.map((request) => timesTold(request, COFFEE.body)),
            [0, 1],
          );
          assert.deepEqual(agent.session.active, []);
        },
      );
    },
  },
];
