import assert from "node:assert/strict";
import { SkillError } from "skillset";
import { defineTool, MarkdownSection } from "skillset/prompt";
import { toldIn } from "../contract/contract-conversation.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { EvaluatorScenario } from "./contract-evaluator.ts";
import { assertIncludes, DONE, promptOf, requestAt, TASK, withEvaluator } from "./evaluator-run.ts";

/** How evaluations end other than with an answer, and that they do not affect each other. */
export const endScenarios: readonly EvaluatorScenario[] = [
  {
    id: "abort-before",
    title: "With an aborted signal, the evaluation rejects with its reason, and no request is sent",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE] }, async (run) => {
        const reason = new Error("Not now.");
        await assert.rejects(run.evaluate(promptOf([TASK]), { signal: AbortSignal.abort(reason) }), reason);
        assert.equal(run.requests.length, 0);
      }),
  },
  {
    id: "abort-during",
    title: "A signal that is aborted while the model hangs ends the evaluation with its reason",
    run: (evaluator) => {
      const abort = new AbortController();
      const reason = new Error("Enough.");
      const hang = (): { readonly hang: true } => {
        setTimeout(() => abort.abort(reason), 20);
        return { hang: true };
      };
      return withEvaluator(evaluator, { script: [hang] }, async (run) => {
        await assert.rejects(run.evaluate(promptOf([TASK]), { signal: abort.signal }), reason);
      });
    },
  },
  {
    id: "model-fails",
    title: "A model that rejects a request rejects the evaluation with its message, and the next one succeeds",
    needs: "model-errors",
    run: (evaluator) => {
      let isBroken = true;
      // Some agents send a rejected request again.
      const script = [
        () => (isBroken ? { fail: { status: 400, message: "The kettle is broken" } } : { say: "Better." }),
      ];
      return withEvaluator(evaluator, { script }, async (run) => {
        const prompt = promptOf([TASK]);
        await assert.rejects(run.evaluate(prompt, {}), failure(/The kettle is broken/));
        isBroken = false;
        assert.equal((await run.evaluate(prompt, {})).text, "Better.");
      });
    },
  },
  {
    id: "model-babbles",
    title: "An answer that cannot be read rejects the evaluation",
    needs: "unreadable-answer",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [{ garbage: "data: {nonsense\n\n" }, DONE] }, async (run) => {
        await assert.rejects(run.evaluate(promptOf([TASK]), {}), failure());
      }),
  },
  {
    id: "length",
    title: "An answer that is cut off rejects the evaluation",
    needs: "early-finish",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [{ say: "It boi", finish: "length" }] }, async (run) => {
        await assert.rejects(run.evaluate(promptOf([TASK]), {}), failure(/stopped early: .*(cut off|token limit)/));
      }),
  },
  {
    id: "refused",
    title: "A model that refuses to answer rejects the evaluation",
    needs: "early-finish",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [{ say: "I cannot.", finish: "refused" }] }, async (run) => {
        await assert.rejects(run.evaluate(promptOf([TASK]), {}), failure(/stopped early: it refused/));
      }),
  },
  {
    id: "max-steps",
    title: "A model that still calls tools after the last step rejects the evaluation",
    needs: "max-steps",
    run: (evaluator) => {
      const script = Array.from({ length: 5 }, () => ({ call: "look", input: {} }));
      return withEvaluator(evaluator, { script }, async (run) => {
        await assert.rejects(run.evaluate(promptOf([WINDOW]), { maxSteps: 2 }), failure());
        assert.equal(run.requests.length, 2);
      });
    },
  },
  {
    id: "two-at-once",
    title: "Two evaluations of one prompt at the same time have their own parameters, calls and answers",
    run: (evaluator) => {
      const script = [() => ({ call: "look", input: {} }), (request: ReceivedRequest) => ({ say: shownIn(request) })];
      return withEvaluator(evaluator, { script }, async (run) => {
        const prompt = promptOf([WINDOW]);
        const views = ["garden", "street"];
        const responses = await Promise.all(views.map((view) => run.evaluate(prompt.bind({ view }), {})));
        assert.deepEqual(
          responses.map(({ text }) => text),
          views.map((view) => `I see the ${view}.`),
        );
        for (const view of views) {
          const own = run.requests.filter((request) => toldIn(request).includes(`Look at the ${view}.`));
          assert.equal(own.length, 2);
          assertIncludes(own[1]?.toolResults.at(-1)?.text ?? "", view);
        }
      });
    },
  },
  {
    id: "earlier",
    title: "An evaluation that failed after a call leaves the evaluator usable for others",
    needs: "model-errors",
    run: (evaluator) => {
      let isFoggy = true;
      const fog = { fail: { status: 400, message: "Fog" } };
      const script = [{ call: "look", input: {} }, () => (isFoggy ? fog : DONE)];
      return withEvaluator(evaluator, { script }, async (run) => {
        const prompt = promptOf([WINDOW]).bind({ view: "garden" });
        await assert.rejects(run.evaluate(prompt, {}), failure(/Fog/));
        isFoggy = false;
        assert.equal(requestAt(run, -1).toolResults.length, 1);
        assert.equal((await run.evaluate(prompt, {})).text, "Done.");
      });
    },
  },
];

/** Evaluators fail with a `SkillError`, whatever their SDK throws. */
function failure(message = /./): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof SkillError, `Not a SkillError: ${error}`);
    assert.match(error.message, message);
    return true;
  };
}

function shownIn({ toolResults }: ReceivedRequest): string {
  return `I see the ${/garden|street/.exec(toolResults.at(-1)?.text ?? "")?.[0]}.`;
}

const WINDOW = new MarkdownSection({
  title: "Task",
  key: "task",
  template: "Look at the $view.",
  defaultParams: { view: "yard" },
  tools: [
    defineTool({
      name: "look",
      description: "Looks out of the window",
      handler: async (
        _input,
        { params }: { readonly params: { readonly view: string }; readonly signal: AbortSignal },
      ) => params.view,
    }),
  ],
});
