import assert from "node:assert/strict";
import type { AnySchema, JsonSchema } from "skillset";
import type { EvaluatorScenario } from "./contract-evaluator.ts";
import { assertIncludes, DONE, outputCall, promptOf, requestAt, TASK, withEvaluator } from "./evaluator-run.ts";

/** Structured output. */
export const outputScenarios: readonly EvaluatorScenario[] = [
  {
    id: "output",
    title: "The output is what the schema returns for the model's value",
    run: (evaluator) => {
      const script = [outputCall(evaluator, { minutes: 3 }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const { output } = await run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        assert.deepEqual(output, { seconds: 180 });
      });
    },
  },
  {
    id: "output-json-schema",
    title: "With a JSON Schema, the output is the model's value",
    run: (evaluator) => {
      const script = [outputCall(evaluator, { minutes: 4 }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const { output } = await run.evaluate(promptOf([TASK], { output: MINUTES }), {});
        assert.deepEqual(output, { minutes: 4 });
      });
    },
  },
  {
    id: "output-any",
    title: "The output may also be a list",
    run: (evaluator) => {
      const list = { type: "array", items: { type: "string" } };
      const script = [outputCall(evaluator, { result: ["green", "black"] }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const { output } = await run.evaluate(promptOf([TASK], { output: list }), {});
        assert.deepEqual(output, ["green", "black"]);
      });
    },
  },
  {
    id: "output-refused",
    title: "A value that does not fit is an error for the model with the reason, and the next one counts",
    run: (evaluator) => {
      const script = [outputCall(evaluator, { minutes: "three" }), outputCall(evaluator, { minutes: 3 }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const { output } = await run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        assert.deepEqual(output, { seconds: 180 });
        assertIncludes(requestAt(run, 1).toolResults.at(-1)?.text ?? "", "minutes");
      });
    },
  },
  {
    id: "output-missing",
    title: "A model that returns no output even when it is reminded rejects the evaluation with `result-missing`",
    run: (evaluator) => {
      const script = [{ say: "Three." }, { say: "Three, as I said." }];
      return withEvaluator(evaluator, { script }, async (run) => {
        const asked = run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        await assert.rejects(asked, { name: "SkillError", code: "result-missing", message: /Its answer: / });
        assert.ok(run.requests.length >= 2);
      });
    },
  },
  {
    id: "output-late",
    title: "A model that returns its output only when it is reminded succeeds",
    run: (evaluator) => {
      const script = [{ say: "Three." }, outputCall(evaluator, { minutes: 3 }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const { output } = await run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        assert.deepEqual(output, { seconds: 180 });
      });
    },
  },
  {
    id: "output-invalid",
    title: "After too many values that do not fit, the evaluation rejects with `result-invalid` and the reason",
    run: (evaluator) => {
      const wrong = outputCall(evaluator, { minutes: "three" });
      const script = [...Array.from({ length: 5 }, () => wrong), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const asked = run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        await assert.rejects(asked, { name: "SkillError", code: "result-invalid", message: /minutes/ });
      });
    },
  },
  {
    id: "output-written",
    title: "A JSON block in the answer counts as the output",
    needs: "written-output",
    run: (evaluator) => {
      const say = 'Here it is:\n\n```json\n{ "minutes": 3 }\n```';
      return withEvaluator(evaluator, { script: [{ say }] }, async (run) => {
        const { output, text } = await run.evaluate(promptOf([TASK], { output: STEEPING }), {});
        assert.deepEqual([output, text], [{ seconds: 180 }, say]);
      });
    },
  },
];

const MINUTES = {
  type: "object",
  properties: { minutes: { type: "number" } },
  required: ["minutes"],
  additionalProperties: false,
};

/** Takes minutes and returns seconds, as the schema of a library with transforms does. */
const STEEPING: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "skillset",
    validate: (value) => {
      const { minutes } = (value ?? {}) as { readonly minutes?: unknown };
      if (typeof minutes === "number") return { value: { seconds: minutes * 60 } };
      return { issues: [{ message: "must be a number", path: ["minutes"] }] };
    },
    jsonSchema: { input: () => MINUTES, output: () => ({ type: "object" }) },
  } as StandardSchema["~standard"],
};

type StandardSchema = Exclude<AnySchema<{ readonly seconds: number }>, JsonSchema>;
