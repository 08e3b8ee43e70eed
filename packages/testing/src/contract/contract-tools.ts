import assert from "node:assert/strict";
import type { SkillTool } from "skillset";
import { usageOf } from "skillset";
import type { ContractAdapter, ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, toolCall } from "./contract-conversation.ts";
import { ACTIVATE_TEA, brewing } from "./contract-skills.ts";

/** Results of calling a skill's tool, whatever its handler does. */
export const toolScenarios: readonly ContractScenario[] = [
  {
    id: "tool-text",
    title: "A text that a tool returns reaches the model unchanged",
    run: (adapter) => brew(adapter, ({ cups }) => `${cups} "cups"\nof tea`, '2 "cups"\nof tea'),
  },
  {
    id: "tool-json",
    title: "Any other value that a tool returns reaches the model as JSON",
    run: async (adapter) => {
      await brew(adapter, async ({ cups }) => ({ cups, hot: true }), '{"cups":2,"hot":true}');
      await brew(adapter, () => undefined, "null");
    },
  },
  {
    id: "tool-input",
    title: "A tool's input is validated against its schema before the handler runs",
    run: async (adapter) => {
      let calls = 0;
      const expected = /^Invalid input for tool 'brew' of skill 'tea': [^\n]*cups/;
      await brew(adapter, () => ++calls, expected, { input: { cups: "two" } });
      assert.equal(calls, 0);
    },
  },
  {
    id: "tool-throws",
    title: "A handler that throws is an error without a stack, and the conversation continues",
    run: (adapter) => {
      const handler = () => {
        throw new Error("The kettle at /home/ann/kettle is empty.");
      };
      return brew(adapter, handler, "Tool 'brew' of skill 'tea' failed: The kettle at <path> is empty.");
    },
  },
  {
    id: "tool-hangs",
    title: "A handler that exceeds its timeout is an error, and the conversation continues",
    run: (adapter) => {
      const handler = () => new Promise<never>(() => {});
      return brew(adapter, handler, "Tool 'brew' of skill 'tea' took longer than 50 ms.", { timeout: 50 });
    },
  },
  {
    id: "tool-circular",
    title: "A result that is not serialisable as JSON is an error, and the conversation continues",
    run: (adapter) => {
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      return brew(
        adapter,
        () => circle,
        "Tool 'brew' of skill 'tea' returned a result that cannot be serialized as JSON.",
      );
    },
  },
  {
    id: "tool-twins",
    title: "Two skills may have tools with the same name",
    run: (adapter) => {
      const skills = [brewing("tea", () => "tea"), brewing("coffee", () => "coffee")];
      const activate = (name: string) => ({ call: "activate_skill", input: { name } });
      const calls = ["coffee", "tea"].map((name) => toolCall(adapter, name, "brew", { cups: 1 }));
      const script = [{ calls: [activate("tea"), activate("coffee")] }, { calls }, { say: "Done." }];
      return converse(adapter, { skills, script }, async ({ agent, model }) => {
        assert.equal(await agent.say("One of each."), "Done.");
        assert.deepEqual(resultsIn(lastRequest(model)).slice(2), ["coffee", "tea"]);
      });
    },
  },
  {
    id: "abort",
    title: "Aborting a turn cancels the running handler, and the session stays usable",
    run: async (adapter) => {
      const controller = new AbortController();
      const signals: AbortSignal[] = [];
      const handler: SkillTool<{ cups: number }>["handler"] = (_input, { signal }) => {
        signals.push(signal);
        if (signals.length > 1) return "tea";
        setTimeout(() => controller.abort(), 0);
        return new Promise(() => {});
      };
      const script = [ACTIVATE_TEA, toolCall(adapter, "tea", "brew", { cups: 1 }), { say: "Done." }];
      await converse(adapter, { skills: [brewing("tea", handler)], script }, async ({ agent, model }) => {
        await assert.rejects(agent.say("Tea, please.", { signal: controller.signal }));
        assert.equal(signals[0]?.aborted, true);
        assert.equal(await agent.say("Tea, please."), "Done.");
        // An agent that keeps the history also keeps the cancelled call, and the model does not repeat it.
        if (adapter.lacks?.history === undefined) assert.equal(resultsIn(lastRequest(model)).at(-1), "tea");
      });
    },
  },
];

interface BrewOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly timeout?: number;
}

/** Makes the model call a tool with this handler, and compares the result. */
function brew(
  adapter: ContractAdapter,
  handler: SkillTool<{ cups: number }>["handler"],
  expected: string | RegExp,
  { input = { cups: 2 }, timeout = 10_000 }: BrewOptions = {},
): Promise<void> {
  const script = [ACTIVATE_TEA, toolCall(adapter, "tea", "brew", input), { say: "Done." }];
  const setup = { skills: [brewing("tea", handler)], session: { limits: { toolTimeout: timeout } }, script };
  return converse(adapter, setup, async ({ agent, model }) => {
    assert.equal(await agent.say("Tea, please."), "Done.");
    const text = resultsIn(lastRequest(model))[1] ?? "";
    if (typeof expected === "string") assert.equal(text, expected);
    else assert.match(text, expected);
    const [usage] = usageOf(agent.session.ledger.entries);
    assert.equal(usage?.called, 1);
  });
}
