import assert from "node:assert/strict";
import { defineTool, MarkdownSection, type SectionToolContext, type Tool } from "skillset/prompt";
import type { ContractEvaluator, EvaluatorScenario } from "./contract-evaluator.ts";
import {
  assertExcludes,
  assertIncludes,
  DONE,
  type EvaluatorRun,
  lastResult,
  promptOf,
  requestAt,
  withEvaluator,
} from "./evaluator-run.ts";

/** The tools of sections that are shown in full. */
export const toolScenarios: readonly EvaluatorScenario[] = [
  {
    id: "tool",
    title: "The model calls a section's tool, and its handler gets the input, the section's key and the parameters",
    run: (evaluator) => {
      const seen: unknown[] = [];
      const handler: Handler = (input, { section, params, signal }) => {
        seen.push(input, { section, params, isAborted: signal.aborted });
        return { render: () => `Boiled ${input.cups} cups.` };
      };
      return withTool(evaluator, handler, [{ call: "boil", input: { cups: 2 } }, DONE], async (run, prompt) => {
        const { text } = await run.evaluate(prompt.bind({ color: "blue" }), {});
        assert.equal(text, "Done.");
        assert.deepEqual(seen, [{ cups: 2 }, { section: "pot", params: { color: "blue" }, isAborted: false }]);
        assert.ok(requestAt(run, 0).tools.includes("boil"));
        assertIncludes(lastResult(run), "Boiled 2 cups.");
      });
    },
  },
  {
    id: "tool-input",
    title: "Input that does not fit is an error for the model with the reason, and the handler is not called",
    run: (evaluator) => {
      const seen: unknown[] = [];
      const handler: Handler = ({ cups }) => {
        seen.push(cups);
        return "Boiled.";
      };
      const script = [{ call: "boil", input: { cups: "two" } }, { call: "boil", input: { cups: 2 } }, DONE];
      return withTool(evaluator, handler, script, async (run, prompt) => {
        await run.evaluate(prompt, {});
        assert.deepEqual(seen, [2]);
        assert.match(requestAt(run, 1).toolResults.at(-1)?.text ?? "", /cups/);
        assertIncludes(lastResult(run), "Boiled.");
      });
    },
  },
  {
    id: "tool-throws",
    title: "A tool that throws is an error for the model, without paths, and the evaluation continues",
    run: (evaluator) => {
      const handler: Handler = () => Promise.reject(new Error("No water in /home/ann/well."));
      return withTool(evaluator, handler, [{ call: "boil", input: { cups: 1 } }, DONE], async (run, prompt) => {
        assert.equal((await run.evaluate(prompt, {})).text, "Done.");
        assertIncludes(lastResult(run), "Tool 'boil' failed: No water in <path>");
        assertExcludes(lastResult(run), "ann");
      });
    },
  },
  {
    id: "tool-hangs",
    title: "A tool that hangs gets the signal of an aborted evaluation, which rejects with the signal's reason",
    run: (evaluator) => {
      const abort = new AbortController();
      const reason = new Error("Enough.");
      const stopped = Promise.withResolvers<void>();
      const handler: Handler = (_input, { signal }) => {
        signal.addEventListener("abort", () => stopped.resolve());
        abort.abort(reason);
        return new Promise(() => {});
      };
      return withTool(evaluator, handler, [{ call: "boil", input: { cups: 1 } }, DONE], async (run, prompt) => {
        await assert.rejects(run.evaluate(prompt, { signal: abort.signal }), reason);
        await stopped.promise;
      });
    },
  },
  {
    id: "tool-calls",
    title: "Several calls in one answer are all run, and each gets its own result",
    run: (evaluator) => {
      const handler: Handler = ({ cups }) => `Boiled ${cups}.`;
      const calls = [1, 2, 3].map((cups) => ({ call: "boil", input: { cups } }));
      return withTool(evaluator, handler, [{ calls }, DONE], async (run, prompt) => {
        await run.evaluate(prompt, {});
        const results = requestAt(run, -1).toolResults.map(({ text }) => text);
        assert.deepEqual(results, ["Boiled 1.", "Boiled 2.", "Boiled 3."]);
      });
    },
  },
  {
    id: "tool-unknown",
    title: "A call of a tool that does not exist is an error for the model, and the evaluation continues",
    run: (evaluator) => {
      const call = evaluator.toolName?.("freeze") ?? "freeze";
      return withTool(
        evaluator,
        () => "Boiled.",
        [{ call, unlisted: true }, DONE],
        async (run, prompt) => {
          assert.equal((await run.evaluate(prompt, {})).text, "Done.");
          assert.match(lastResult(run), /\S/);
          assertExcludes(lastResult(run), "Boiled.");
        },
      );
    },
  },
];

type Handler = (input: { readonly cups: number }, context: SectionToolContext) => unknown;

const CUPS = { type: "object", properties: { cups: { type: "number" } }, required: ["cups"] };

/** Runs the work with a prompt that has the tool `boil`. */
function withTool(
  evaluator: ContractEvaluator,
  handler: Handler,
  script: Parameters<typeof withEvaluator>[1]["script"],
  work: (run: EvaluatorRun, prompt: ReturnType<typeof promptOf>) => Promise<void>,
): Promise<void> {
  const tool: Tool = { name: "boil", description: "Boils water", inputSchema: CUPS, handler: handler as never };
  const section = new MarkdownSection({ title: "Pot", key: "pot", template: "Boil it.", tools: [defineTool(tool)] });
  return withEvaluator(evaluator, { script }, (run) => work(run, promptOf([section])));
}
