import assert from "node:assert/strict";
import { defineTool, MarkdownSection } from "skillset/prompt";
import { toldIn } from "../contract/contract-conversation.ts";
import type { EvaluatorScenario } from "./contract-evaluator.ts";
import {
  assertExcludes,
  assertIncludes,
  DONE,
  lastResult,
  openCall,
  openedCall,
  promptOf,
  requestAt,
  TASK,
  withEvaluator,
} from "./evaluator-run.ts";

/** Sections that are summarised until the model opens or reads them. */
export const sectionScenarios: readonly EvaluatorScenario[] = [
  {
    id: "summary",
    title: "The first request contains the summary of a section, but neither its text nor its tools",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE] }, async (run) => {
        await run.evaluate(promptOf([TASK, CUPBOARD]), {});
        const { tools, ...told } = requestAt(run, 0);
        assertIncludes(toldIn({ tools, ...told }), "What is in the cupboard.");
        assertExcludes(toldIn({ tools, ...told }), "The cups are blue.");
        assert.deepEqual([tools.includes("open_sections"), tools.includes("read_section")], [true, true]);
        assert.ok(!tools.includes("take"));
      }),
  },
  {
    id: "no-summary",
    title: "Without summarised sections, the model is offered no tools for opening them",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE] }, async (run) => {
        await run.evaluate(promptOf([TASK]), {});
        const { tools } = requestAt(run, 0);
        assert.ok(!tools.includes("open_sections") && !tools.includes("read_section"));
      }),
  },
  {
    id: "open",
    title: "A section that the model opens returns its text, and its tools can be called from the next request on",
    run: (evaluator) => {
      const script = [openCall("cupboard"), openedCall(evaluator, "take", { what: "cup" }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        assert.equal((await run.evaluate(promptOf([TASK, CUPBOARD]), {})).text, "Done.");
        assertIncludes(toldIn(requestAt(run, 1)), "The cups are blue.");
        assertIncludes(lastResult(run), "Took the cup.");
      });
    },
  },
  {
    id: "open-offer",
    title: "The request after a section was opened offers its tools",
    needs: "growing-tools",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("cupboard"), DONE] }, async (run) => {
        await run.evaluate(promptOf([TASK, CUPBOARD]), {});
        assert.ok(requestAt(run, 1).tools.includes("take"));
      }),
  },
  {
    id: "open-again",
    title: "A section inside an opened one can be opened in turn",
    run: (evaluator) => {
      const script = [openCall("cupboard"), openCall("cupboard.drawer"), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        await run.evaluate(promptOf([TASK, CUPBOARD]), {});
        assertExcludes(toldIn(requestAt(run, 1)), "The spoons are new.");
        assertIncludes(lastResult(run), "The spoons are new.");
      });
    },
  },
  {
    id: "open-unknown",
    title: "An unknown key is an error for the model that lists the keys, and opens nothing",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("cellar"), DONE] }, async (run) => {
        assert.equal((await run.evaluate(promptOf([TASK, CUPBOARD]), {})).text, "Done.");
        assertIncludes(lastResult(run), "There is no section 'cellar'. To open: cupboard.");
        assert.ok(!requestAt(run, -1).tools.includes("take"));
      }),
  },
  {
    id: "closed-tool",
    title: "A tool of a section that is not open cannot be called",
    run: (evaluator) => {
      const calls: unknown[] = [];
      const take = defineTool({ ...TAKE, handler: (input: unknown) => calls.push(input) });
      const closed = new MarkdownSection({ ...CLOSED, template: "The cups are blue.", tools: [take] });
      const direct = { call: evaluator.toolName?.("take") ?? "take", input: { what: "cup" } };
      const call = evaluator.openedCall?.("take", { what: "cup" }) ?? direct;
      const script = [{ ...call, unlisted: true }, DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        assert.equal((await run.evaluate(promptOf([TASK, closed]), {})).text, "Done.");
        assert.deepEqual(calls, []);
        assertIncludes(lastResult(run), "take");
      });
    },
  },
  {
    id: "read",
    title: "A section that the model reads returns its text, and its tools stay unavailable",
    run: (evaluator) => {
      const script = [{ call: "read_section", input: { section_key: "cupboard" } }, DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        await run.evaluate(promptOf([TASK, CUPBOARD]), {});
        assertIncludes(lastResult(run), "The cups are blue.");
        const { tools } = requestAt(run, -1);
        assert.deepEqual([tools.includes("take"), tools.includes("open_sections")], [false, true]);
      });
    },
  },
  {
    id: "twice",
    title: "A second evaluation of the same prompt starts with its sections closed",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("cupboard"), DONE] }, async (run) => {
        const prompt = promptOf([TASK, CUPBOARD]);
        await run.evaluate(prompt, {});
        const { length } = run.requests;
        await run.evaluate(prompt, {});
        assert.ok(!requestAt(run, length).tools.includes("take"));
        assertExcludes(toldIn(requestAt(run, length)), "The cups are blue.");
      }),
  },
];

const TAKE = {
  name: "take",
  description: "Takes something from the cupboard",
  inputSchema: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
};

const CLOSED = {
  title: "Cupboard",
  key: "cupboard",
  summary: "What is in the cupboard.",
  visibility: "summary",
} as const;

const DRAWER = new MarkdownSection({
  title: "Drawer",
  key: "drawer",
  summary: "What is in the drawer.",
  template: "The spoons are new.",
  visibility: "summary",
});

const CUPBOARD = new MarkdownSection({
  ...CLOSED,
  template: "The cups are blue.",
  tools: [defineTool({ ...TAKE, handler: ({ what }) => `Took the ${what}.` })],
  children: [DRAWER],
});
