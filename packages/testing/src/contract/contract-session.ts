import assert from "node:assert/strict";
import { createSkillset, defineSkill, MemorySessionStore } from "skillset";
import type { ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, timesTold, toldIn, wordsIn } from "./contract-conversation.ts";
import { ACTIVATE_TEA, brewing, COFFEE, NOTES, TEA } from "./contract-skills.ts";

const NEW_TEA = defineSkill({
  name: TEA.name,
  description: TEA.description,
  body: "Steep the leaves for five minutes.",
});

/** State that outlasts a turn. */
export const sessionScenarios: readonly ContractScenario[] = [
  {
    id: "restored",
    title: "The requests of a restored session contain the instructions of its active skills again",
    needs: "store",
    run: async (adapter) => {
      const session = { id: "chat", store: new MemorySessionStore() };
      const skills = [brewing("tea", () => "tea"), COFFEE];
      const script = [ACTIVATE_TEA, { say: "Done." }];
      await converse(adapter, { skills, session, script }, async ({ agent }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
      });
      await converse(adapter, { skills, session, script: [{ say: "Hello again." }] }, async ({ agent, model }) => {
        assert.deepEqual(agent.session.active, ["tea"]);
        assert.equal(await agent.say("Hi."), "Hello again.");
        assert.equal(timesTold(lastRequest(model), "Call `brew` with the number of cups."), 1);
        assert.ok(toldIn(lastRequest(model)).includes("(activated_skill_names): tea."));
      });
    },
  },
  {
    id: "restored-changed",
    title: "Instructions that changed while a session was stored are sent again with a note",
    needs: "store",
    run: async (adapter) => {
      const session = { id: "chat", store: new MemorySessionStore() };
      const script = [ACTIVATE_TEA, { say: "Done." }];
      await converse(adapter, { skills: [TEA], session, script }, async ({ agent }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
      });
      const again = { skills: [NEW_TEA], session, script: [{ say: "Hello again." }] };
      await converse(adapter, again, async ({ agent, model }) => {
        assert.equal(await agent.say("Hi."), "Hello again.");
        const told = toldIn(lastRequest(model));
        assert.match(told, /five minutes\.\s+These instructions have changed since/);
        assert.ok(agent.session.ledger.entries.some(({ type }) => type === "skill-changed"));
      });
    },
  },
  {
    id: "changed",
    title: "A skill that changed during the conversation is sent in full when it is activated again",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }, ACTIVATE_TEA, { say: "Second." }];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Tea, please.");
        await agent.session.use(await createSkillset([NEW_TEA]));
        assert.equal(await agent.say("More tea, please."), "Second.");
        const told = toldIn(lastRequest(model));
        assert.match(told, /five minutes\.\s+These instructions have changed since/);
      });
    },
  },
  {
    id: "changed-told",
    title: "The turn after a change reports that the instructions in the conversation are outdated",
    needs: "notice",
    run: (adapter) => {
      const script = [
        ACTIVATE_TEA,
        { say: "First." },
        { say: "Second." },
        ACTIVATE_TEA,
        { say: "Third." },
        { say: "Bye." },
      ];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        const notice = "The instructions of these skills have changed: tea.";
        await agent.say("Tea, please.");
        await agent.session.use(await createSkillset([NEW_TEA]));
        await agent.say("Thanks.");
        assert.equal(timesTold(lastRequest(model), notice), 1);
        await agent.say("More tea, please.");
        assert.equal(await agent.say("Thanks."), "Bye.");
        // A message keeps the notice that it was sent with.
        assert.equal(timesTold(lastRequest(model), notice), 1);
        assert.equal(timesTold(lastRequest(model), NEW_TEA.body), 1);
      });
    },
  },
  {
    id: "apart",
    title: "Two conversations over one set are independent",
    run: async (adapter) => {
      const skills = [TEA, COFFEE];
      const talk = (name: string) => {
        const script = [{ call: "activate_skill", input: { name } }, { say: "First." }, { say: "Second." }];
        return converse(adapter, { skills, script }, async ({ agent, model }) => {
          await agent.say("Hi.");
          assert.equal(await agent.say("Thanks."), "Second.");
          assert.deepEqual(agent.session.active, [name]);
          const [other] = skills.filter((one) => one.name !== name);
          assert.ok(other && !toldIn(lastRequest(model)).includes(other.body));
        });
      };
      await Promise.all([talk("tea"), talk("coffee")]);
    },
  },
  {
    id: "compaction",
    title: "A shortened history keeps the instructions of active skills, once, and drops the oldest messages",
    needs: "compaction",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, ...["First.", "Second.", "Third.", "Fourth."].map((say) => ({ say }))];
      return converse(adapter, { skills: [TEA], script }, async ({ agent, model }) => {
        await agent.say("Tea, please.");
        await agent.say("This is a long story. ".repeat(200));
        await agent.say("Continue.");
        assert.equal(await agent.say("Thanks.", { history: { tokens: 200 } }), "Fourth.");
        const request = lastRequest(model);
        assert.equal(timesTold(request, TEA.body), 1);
        assert.ok(request.messages.some(({ text }) => text.includes(TEA.body)));
        assert.equal(timesTold(request, "This is a long story."), 0);
        assert.deepEqual(request.toolResults, []);
        // An exchange is dropped or kept as a whole.
        const said = request.messages.map(wordsIn);
        assert.deepEqual(said.slice(-3), ["Continue.", "Third.", "Thanks."]);
      });
    },
  },
  {
    id: "compaction-invoked",
    title: "A shortened history keeps the arguments of a skill's last invocation, in its instructions, once",
    needs: "compaction",
    run: (adapter) => {
      const said = ["First.", "Second.", "Third.", "Fourth.", "Fifth."];
      const script = said.map((say) => ({ say }));
      return converse(adapter, { skills: [NOTES], script }, async ({ agent, model }) => {
        await agent.say("This is a long story. ".repeat(200));
        await agent.say("/notes buy milk");
        await agent.say("/notes feed the cat", { history: { tokens: 10_000 } });
        assert.equal(timesTold(lastRequest(model), "Write down:"), 2);
        // Shortening a shortened history changes nothing.
        for (const answer of said.slice(3)) {
          assert.equal(await agent.say("Thanks.", { history: { tokens: 200 } }), answer);
          const request = lastRequest(model);
          assert.equal(timesTold(request, "This is a long story."), 0);
          assert.equal(timesTold(request, "Write down:"), 1);
          assert.equal(timesTold(request, "Write down: feed the cat"), 1);
          assert.ok(request.messages.some(({ text }) => text.endsWith("buy milk")));
        }
      });
    },
  },
  {
    id: "compaction-several",
    title: "A shortened history keeps the instructions of every skill that one message invoked, once",
    needs: "compaction",
    run: (adapter) => {
      const script = ["First.", "Second.", "Third.", "Fourth."].map((say) => ({ say }));
      return converse(adapter, { skills: [NOTES, TEA], script }, async ({ agent, model }) => {
        await agent.say("This is a long story. ".repeat(200));
        await agent.say("/notes /tea buy milk");
        for (const answer of ["Third.", "Fourth."]) {
          assert.equal(await agent.say("Thanks.", { history: { tokens: 200 } }), answer);
          const request = lastRequest(model);
          assert.equal(timesTold(request, "This is a long story."), 0);
          assert.deepEqual([timesTold(request, "Write down: buy milk"), timesTold(request, TEA.body)], [1, 1]);
        }
      });
    },
  },
];
