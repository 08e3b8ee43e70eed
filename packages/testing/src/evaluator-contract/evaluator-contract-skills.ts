import assert from "node:assert/strict";
import { join } from "node:path";
import { createSkillset, defineSkill } from "skillset";
import { defineTool, MarkdownSection, SkillRef, SkillSection, SkillsSection } from "skillset/prompt";
import type { ScriptOptions } from "skillset/scripts";
import { toldIn } from "../contract/contract-conversation.ts";
import type { EvaluatorScenario } from "./contract-evaluator.ts";
import {
  assertExcludes,
  assertIncludes,
  DONE,
  eventsOf,
  lastResult,
  openCall,
  openedCall,
  promptOf,
  requestAt,
  skillFile,
  TASK,
  withEvaluator,
} from "./evaluator-run.ts";

/** Skills that are sections of the prompt. */
export const skillScenarios: readonly EvaluatorScenario[] = [
  {
    id: "skill",
    title: "A skill that the model opens becomes active in the session, emits `SkillExpanded`, and has its tools",
    run: (evaluator) => {
      const script = [openCall("skills.tea"), openedCall(evaluator, "brew", { cups: 2 }), DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const session = await (await createSkillset([])).session();
        const { events, onEvent } = eventsOf("SkillExpanded");
        await run.evaluate(promptOf([TASK, new SkillsSection({ skills: [TEA, COFFEE] })]), { session, onEvent });
        assertExcludes(toldIn(requestAt(run, 0)), "Steep for three minutes.");
        assertIncludes(toldIn(requestAt(run, 1)), "Steep for three minutes.");
        assertIncludes(lastResult(run), "tea brewed 2 cups.");
        const expanded = events.map(({ skillName, skillKey, promptNs, promptKey, sessionId }) => {
          return { skillName, skillKey, promptNs, promptKey, sessionId };
        });
        const keys = { promptNs: "contract", promptKey: "kettle", sessionId: session.id };
        assert.deepEqual(expanded, [{ skillName: "tea", skillKey: "skills.tea", ...keys }]);
        assert.deepEqual(session.active, ["tea"]);
      });
    },
  },
  {
    id: "skill-read",
    title: "A skill that the model reads without opening becomes active in the session too",
    run: (evaluator) => {
      const script = [{ call: "read_section", input: { section_key: "skills.coffee" } }, DONE];
      return withEvaluator(evaluator, { script }, async (run) => {
        const session = await (await createSkillset([])).session();
        await run.evaluate(promptOf([TASK, new SkillsSection({ skills: [TEA, COFFEE] })]), { session });
        assertIncludes(lastResult(run), "Grind the beans.");
        assert.deepEqual(session.active, ["coffee"]);
      });
    },
  },
  {
    id: "skill-ref",
    title: "The files of a `SkillRef` can be read once it is open",
    run: (evaluator) => {
      const read = openedCall(evaluator, "read_skill_file", { skill: "cocoa", path: "references/recipe.md" });
      return withEvaluator(evaluator, { script: [openCall("skills.cocoa"), read, DONE], files: COCOA }, async (run) => {
        const ref = new SkillRef({ path: join(run.folder, "skills/cocoa") });
        await run.evaluate(promptOf([TASK, new SkillsSection({ skillRefs: [ref] })]), {});
        assert.ok(!requestAt(run, 0).tools.includes("read_skill_file"));
        assertIncludes(toldIn(requestAt(run, 1)), "Melt the chocolate.");
        assertIncludes(lastResult(run), "Two spoons of sugar.");
      });
    },
  },
  {
    id: "enabled-skills",
    title: "With `enabledSkills`, the prompt has only those skills",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("skills.tea"), DONE] }, async (run) => {
        const prompt = promptOf([TASK, new SkillsSection({ skills: [TEA, COFFEE] })]);
        await run.evaluate(prompt, { enabledSkills: ["coffee"] });
        const told = toldIn(requestAt(run, 0));
        assertIncludes(told, "Makes coffee.");
        assertExcludes(told, "Makes tea.");
        assertIncludes(lastResult(run), "There is no section 'skills.tea'.");
      }),
  },
  {
    id: "skill-overrides",
    title: "An override of a skill's template is what the model gets when it opens the skill",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("skills.tea"), DONE] }, async (run) => {
        const overrides = { "skills.tea": "Steep for four minutes." };
        await run.evaluate(promptOf([TASK, new SkillsSection({ skills: [TEA] })]), { overrides });
        assertIncludes(lastResult(run), "Steep for four minutes.");
      }),
  },
  {
    id: "allowed-tools",
    title: "With `enforce`, a section's tool that an active skill of the session does not list is denied",
    run: (evaluator) => {
      const calls: unknown[] = [];
      const tool = defineTool({ name: "pour", description: "Pours", handler: (input) => calls.push(input) });
      const jug = new MarkdownSection({ title: "Jug", key: "jug", template: "Pour it.", tools: [tool] });
      return withEvaluator(evaluator, { script: [{ call: "pour", input: {} }, DONE] }, async (run) => {
        const rules = { ...NARROW, allowedTools: ["Bash(ls:*)"] };
        const skills = await createSkillset([defineSkill(rules)], { allowedTools: "enforce" });
        const session = await skills.session();
        await session.activate("narrow");
        assert.equal((await run.evaluate(promptOf([TASK, jug]), { session })).text, "Done.");
        assert.match(lastResult(run), /'pour' is not allowed while skill 'narrow' is in use/);
        assert.deepEqual(calls, []);
      });
    },
  },
  {
    id: "script",
    title: "With a runner, the scripts of a skill that the model opened are run, and the session records it",
    run: (evaluator) => {
      const stirring = { skill: "cocoa", script: "scripts/stir.mjs", args: ["hot"] };
      const runCall = openedCall(evaluator, "run_skill_script", stirring);
      const setup = { script: [openCall("skills.cocoa"), runCall, DONE], files: COCOA };
      return withEvaluator(evaluator, setup, async (run) => {
        const session = await (await createSkillset([])).session();
        const ref = new SkillRef({ path: join(run.folder, "skills/cocoa") });
        const scripts = { runner: "subprocess", consent: () => "always" as const } satisfies ScriptOptions;
        await run.evaluate(promptOf([TASK, new SkillsSection({ skillRefs: [ref] })]), { session, scripts });
        assert.ok(!requestAt(run, 0).tools.includes("run_skill_script"));
        assertIncludes(lastResult(run), "stirred hot");
        assert.deepEqual(
          session.ledger.entries.flatMap((entry) => (entry.type === "script-run" ? [entry.outcome] : [])),
          ["exited"],
        );
      });
    },
  },
  {
    id: "script-none",
    title: "Without a runner, the model is offered no tool for scripts",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [openCall("skills.cocoa"), DONE], files: COCOA }, async (run) => {
        const ref = new SkillRef({ path: join(run.folder, "skills/cocoa") });
        await run.evaluate(promptOf([TASK, new SkillsSection({ skillRefs: [ref] })]), {});
        assert.ok(!requestAt(run, -1).tools.includes("run_skill_script"));
      }),
  },
];

const TEA = new SkillSection({
  name: "tea",
  description: "Makes tea.",
  title: "Tea",
  template: "Steep for three minutes.",
  tools: [
    defineTool({
      name: "brew",
      description: "Brews",
      inputSchema: { type: "object", properties: { cups: { type: "number" } }, required: ["cups"] },
      handler: ({ cups }, { skill }: { readonly skill?: string; readonly signal: AbortSignal }) =>
        `${skill} brewed ${cups} cups.`,
    }),
  ],
});

const COFFEE = new SkillSection({
  name: "coffee",
  description: "Makes coffee.",
  title: "Coffee",
  template: "Grind the beans.",
});

const NARROW = { name: "narrow", description: "Looks only.", body: "Look around." };

const COCOA = {
  "cocoa/SKILL.md": skillFile("cocoa", "Melt the chocolate."),
  "cocoa/references/recipe.md": "Two spoons of sugar.\n",
  "cocoa/scripts/stir.mjs": 'console.log("stirred", process.argv[2]);\n',
};
