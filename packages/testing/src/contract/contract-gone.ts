import assert from "node:assert/strict";
import type { Skillset } from "skillset";
import { createSkillset, defineSkill } from "skillset";
import type { ScriptStep } from "../model/script.ts";
import type { ContractAdapter, ContractAgent, ContractScenario } from "./contract-adapter.ts";
import {
  type ContractConversation,
  converse,
  lastRequest,
  resultsIn,
  timesTold,
  toldIn,
  toolCall,
} from "./contract-conversation.ts";
import { ACTIVATE_TEA, COFFEE } from "./contract-skills.ts";

const tea = (body: string, extra: string) =>
  defineSkill({
    name: "tea",
    description: "Makes tea. Use when asked for tea.",
    body,
    metadata: { "trigger-keywords": "tea" },
    files: { "leaves.md": `FILE-${extra}`, "leaf.png": PNG },
    tools: [
      {
        name: "brew",
        description: "Brew some tea",
        inputSchema: { type: "object" },
        handler: () => `RESULT-${extra}`,
      },
    ],
  });
const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0]);

const OLD = tea("BODY-OLD", "OLD");
const NEW = tea("BODY-NEW", "NEW");

type Way = readonly [name: string, activate: (agent: ContractAgent) => Promise<unknown>, script: readonly ScriptStep[]];

/** Every way to activate a skill, with what the model does then. */
const WAYS: readonly Way[] = [
  ["a call", (agent) => agent.say("A cup, please."), [ACTIVATE_TEA, { say: "Done." }]],
  ["a name", (agent) => agent.say("/tea a cup"), [{ say: "Done." }]],
  ["a trigger", (agent) => agent.say("Tea, please."), [{ say: "Done." }]],
  [
    "the host",
    async (agent) => {
      await agent.session.activate("tea", { by: "user" });
      await agent.say("A cup, please.");
    },
    [{ say: "Done." }],
  ],
];

const ANSWERS: readonly ScriptStep[] = ["Second.", "Third.", "Fourth."].map((say) => ({ say }));

/** Has a conversation in which the skill is activated, for each way to do that. */
async function eachWay(
  adapter: ContractAdapter,
  work: (conversation: ContractConversation, way: string) => Promise<void>,
  mode: "tools" | "inject" = "tools",
): Promise<void> {
  for (const [way, activate, script] of WAYS) {
    // A model without tools cannot call, and a name or a trigger is for one request then.
    if (mode === "inject" && way !== "the host") continue;
    const setup = { skills: [OLD, COFFEE], session: { triggers: "activate" as const }, mode };
    await converse(adapter, { ...setup, script: [...script, ...ANSWERS] }, async (conversation) => {
      const { agent, model } = conversation;
      await activate(agent);
      assert.deepEqual(agent.session.active, ["tea"], way);
      assert.ok(toldIn(lastRequest(model)).includes("BODY-OLD"), way);
      await work(conversation, way);
    });
  }
}

/** What no request may contain once the skill is gone. */
function assertGone({ model }: ContractConversation, why: string): void {
  const body = JSON.stringify(lastRequest(model).body);
  for (const text of ["BODY-OLD", "FILE-OLD", "RESULT-OLD", Buffer.from(PNG).toString("base64")])
    assert.ok(!body.includes(text), `${why}: the request contains ${text}`);
}

const without = (agent: ContractAgent): Skillset => agent.session.skillset.filter({ disabled: ["tea"] });

/** Skills that are disabled, deleted, enabled again or changed during a conversation. */
export const goneScenarios: readonly ContractScenario[] = [
  {
    id: "disabled",
    title: "After a skill is disabled, no request contains its instructions, however it was activated",
    needs: "observe",
    run: (adapter) =>
      eachWay(adapter, async (conversation, way) => {
        const { agent } = conversation;
        await agent.session.use(without(agent));
        assert.deepEqual(agent.session.active, [], way);
        for (const text of ["Thanks.", "/tea once more"]) {
          await agent.say(text);
          assertGone(conversation, `${way}, ${text}`);
        }
      }),
  },
  {
    id: "deleted",
    title: "After a skill is deleted, no request contains its instructions, however it was activated",
    needs: "observe",
    run: (adapter) =>
      eachWay(adapter, async (conversation, way) => {
        const { agent } = conversation;
        await agent.session.use(await createSkillset([COFFEE]));
        await agent.say("Thanks.");
        assertGone(conversation, way);
        await agent.session.use(await createSkillset([]));
        await agent.say("Bye.");
        assertGone(conversation, `${way}, without any skill`);
      }),
  },
  {
    id: "disabled-results",
    title: "After a skill is disabled, one sentence replaces each file that was read and each result of its tools",
    needs: "observe",
    run: (adapter) => {
      const read = (path: string) => ({ call: "read_skill_file", input: { skill: "tea", path } });
      const script = [
        ACTIVATE_TEA,
        { calls: [read("leaves.md"), read("leaf.png"), toolCall(adapter, "tea", "brew", {})] },
        { say: "First." },
        ...ANSWERS,
      ];
      return converse(adapter, { skills: [OLD, COFFEE], script }, async (conversation) => {
        const { agent, model } = conversation;
        await agent.say("Tea, please.");
        assert.match(toldIn(lastRequest(model)), /FILE-OLD[\s\S]*RESULT-OLD|RESULT-OLD[\s\S]*FILE-OLD/);
        await agent.session.use(without(agent));
        await agent.say("Thanks.");
        assertGone(conversation, "disabled");
        const told = toldIn(lastRequest(model));
        assert.ok(told.includes("The skill 'tea' is no longer available. Its text was removed"), told);
      });
    },
  },
  {
    id: "disabled-refused",
    title: "A disabled skill cannot be activated or read, and the model gets an error that does not describe it",
    run: (adapter) => {
      const read = { call: "read_skill_file", input: { skill: "tea", path: "leaves.md" } };
      const script = [{ say: "First." }, ACTIVATE_TEA, read, { say: "Second." }];
      return converse(adapter, { skills: [OLD, COFFEE], script }, async (conversation) => {
        const { agent, model } = conversation;
        await agent.say("Hi.");
        await agent.session.use(without(agent));
        assert.equal(await agent.say("A cup, please."), "Second.");
        assertGone(conversation, "disabled");
        for (const text of resultsIn(lastRequest(model))) assert.match(text, /^Unknown skill 'tea'/);
      });
    },
  },
  {
    id: "disabled-not-again",
    title: "The instructions of a disabled skill are not sent again, neither by its name nor with a later message",
    run: (adapter) => {
      const script = [ACTIVATE_TEA, { say: "First." }, ...ANSWERS];
      return converse(adapter, { skills: [OLD, COFFEE], script }, async ({ agent, model }) => {
        await agent.say("A cup, please.");
        await agent.session.use(without(agent));
        for (const text of ["/tea once more", "Thanks."]) {
          await agent.say(text);
          // Some agents keep what they have received before.
          assert.ok(timesTold(lastRequest(model), "BODY-OLD") <= 1, text);
        }
      });
    },
  },
  {
    id: "enabled-again",
    title: "A skill that is disabled for a moment is active again, with its instructions in the requests",
    needs: "observe",
    run: (adapter) =>
      eachWay(adapter, async ({ agent, model }, way) => {
        const { skillset } = agent.session;
        await agent.session.use(without(agent));
        await agent.say("Thanks.");
        await agent.session.use(skillset);
        assert.deepEqual(agent.session.active, ["tea"], way);
        await agent.say("One more.");
        assert.ok(toldIn(lastRequest(model)).includes("BODY-OLD"), way);
      }),
  },
  {
    id: "changed-without-tools",
    title: "The prompt of a model without tools has the new instructions of a changed skill, and not the old ones",
    needs: "inject",
    run: (adapter) =>
      eachWay(
        adapter,
        async (conversation) => {
          const { agent, model } = conversation;
          await agent.session.use(await createSkillset([NEW]));
          await agent.say("Thanks.");
          assert.ok(toldIn(lastRequest(model)).includes("BODY-NEW"));
          assertGone(conversation, "changed");
          await agent.session.use(await createSkillset([COFFEE]));
          await agent.say("Thanks.");
          assert.ok(!toldIn(lastRequest(model)).includes("BODY-"));
        },
        "inject",
      ),
  },
];
