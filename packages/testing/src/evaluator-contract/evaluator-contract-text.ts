import assert from "node:assert/strict";
import { MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
import { toldIn } from "../contract/contract-conversation.ts";
import type { EvaluatorScenario } from "./contract-evaluator.ts";
import { assertExcludes, assertIncludes, DONE, promptOf, requestAt, TASK, withEvaluator } from "./evaluator-run.ts";

/** What the model is sent first, and what the caller gets. */
export const textScenarios: readonly EvaluatorScenario[] = [
  {
    id: "text",
    title: "The first request contains the prompt, and the response has the answer and the prompt's keys",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [{ say: "It boils." }] }, async (run) => {
        const response = await run.evaluate(promptOf([TASK]), {});
        const keys = { promptNs: "contract", promptKey: "kettle" };
        assert.deepEqual({ ...response }, { ...keys, text: "It boils.", output: undefined });
        assert.equal(run.requests.length, 1);
        assertIncludes(toldIn(requestAt(run, 0)), "## Task\n\nLook at the kettle.");
      }),
  },
  {
    id: "params",
    title: "The text contains the bound parameters; without them, no request is sent",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE] }, async (run) => {
        const prompt = new Prompt(new PromptTemplate({ ns: "contract", key: "pot", sections: [POT] }));
        await assert.rejects(run.evaluate(prompt, {}), { name: "PromptValidationError" });
        assert.equal(run.requests.length, 0);
        await run.evaluate(prompt.bind({ pot: "blue pot" }), {});
        assertIncludes(toldIn(requestAt(run, 0)), "Fill the blue pot.");
      }),
  },
  {
    id: "overrides",
    title: "An override replaces a section's template; with an unknown key, no request is sent",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE] }, async (run) => {
        const prompt = promptOf([TASK]);
        const unknown = run.evaluate(prompt, { overrides: { tesk: "Look away." } });
        await assert.rejects(unknown, { name: "PromptValidationError" });
        assert.equal(run.requests.length, 0);
        await run.evaluate(prompt, { overrides: { task: "Look away." } });
        const told = toldIn(requestAt(run, 0));
        assertIncludes(told, "Look away.");
        assertExcludes(told, "Look at the kettle.");
      }),
  },
];

const POT = new MarkdownSection({ title: "Task", key: "task", template: "Fill the $pot." });
