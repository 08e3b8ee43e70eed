import assert from "node:assert/strict";
import { join } from "node:path";
import { createSkillset } from "skillset";
import { PNG } from "../contract/contract-binary.ts";
import { toldIn } from "../contract/contract-conversation.ts";
import type { EvaluatorScenario, ListedSkill } from "./contract-evaluator.ts";
import {
  assertExcludes,
  assertIncludes,
  DONE,
  eventsOf,
  fileCall,
  lastResult,
  listedIn,
  loadCall,
  promptOf,
  requestAt,
  skillFile,
  TASK,
  withEvaluator,
} from "./evaluator-run.ts";

/** The skills that an `AgentSkillsSection` lists. */
export const listedScenarios: readonly EvaluatorScenario[] = [
  {
    id: "listed",
    title: "A listed skill that the model loads becomes active in the session, and emits `SkillActivated`",
    run: (evaluator) => {
      const script = [() => loadCall(evaluator, skill), DONE];
      let skill: ListedSkill = { name: "", folder: "" };
      return withEvaluator(evaluator, { script, files: FILES }, async (run) => {
        skill = listed(run.folder, "tea");
        const session = await (await createSkillset([])).session();
        const { events, onEvent } = eventsOf("SkillActivated");
        await run.evaluate(promptOf([TASK, listedIn(run.folder)]), { session, onEvent });
        assertIncludes(toldIn(requestAt(run, 0)), "Makes tea. Use when asked for tea.");
        assertExcludes(toldIn(requestAt(run, 0)), "Steep for three minutes.");
        assertIncludes(lastResult(run), "Steep for three minutes.");
        assert.deepEqual(
          events.map(({ skillName, skillPath }) => ({ skillName, skillPath })),
          [{ skillName: "tea", skillPath: skill.folder }],
        );
        assert.deepEqual(session.active, ["tea"]);
      });
    },
  },
  {
    id: "listed-section",
    title: "A listed skill that the model loads becomes active in the session of its section",
    run: (evaluator) => {
      const script = [() => loadCall(evaluator, skill), DONE];
      let skill: ListedSkill = { name: "", folder: "" };
      return withEvaluator(evaluator, { script, files: FILES }, async (run) => {
        skill = listed(run.folder, "coffee");
        const session = await (await createSkillset([])).session();
        await run.evaluate(promptOf([TASK, listedIn(run.folder, { session })]), {});
        assert.deepEqual(session.active, ["coffee"]);
      });
    },
  },
  {
    id: "listed-file",
    title: "The files of a listed skill can be read",
    run: (evaluator) => {
      const script = [() => loadCall(evaluator, skill), () => fileCall(evaluator, skill, "references/leaves.md"), DONE];
      let skill: ListedSkill = { name: "", folder: "" };
      return withEvaluator(evaluator, { script, files: FILES }, async (run) => {
        skill = listed(run.folder, "tea");
        await run.evaluate(promptOf([TASK, listedIn(run.folder)]), {});
        assertIncludes(lastResult(run), "Sencha is green.");
      });
    },
  },
  {
    id: "listed-image",
    title: "An image of a listed skill reaches the model as an image, with the same bytes",
    needs: "files",
    run: (evaluator) => {
      const script = [() => loadCall(evaluator, skill), () => fileCall(evaluator, skill, "assets/leaf.png"), DONE];
      let skill: ListedSkill = { name: "", folder: "" };
      return withEvaluator(evaluator, { script, files: { ...FILES, "tea/assets/leaf.png": PNG } }, async (run) => {
        skill = listed(run.folder, "tea");
        await run.evaluate(promptOf([TASK, listedIn(run.folder)]), {});
        assert.deepEqual(
          requestAt(run, -1).files.map(({ kind, bytes }) => ({ kind, bytes })),
          [{ kind: "image", bytes: PNG }],
        );
      });
    },
  },
  {
    id: "inject",
    title: 'With `mode: "inject"`, the first request contains the instructions, and no tools load skills',
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE], files: FILES }, async (run) => {
        await run.evaluate(promptOf([TASK, listedIn(run.folder, { mode: "inject" })]), {});
        const request = requestAt(run, 0);
        assertIncludes(toldIn(request), "Steep for three minutes.");
        assertIncludes(toldIn(request), "Grind the beans.");
        const loading = ["activate_skill", "read_skill_file", "search_skills"];
        assert.deepEqual(
          loading.filter((name) => request.tools.includes(name)),
          [],
        );
      }),
  },
  {
    id: "listed-filter",
    title: "Skills that the section excludes are not listed",
    run: (evaluator) =>
      withEvaluator(evaluator, { script: [DONE], files: FILES }, async (run) => {
        await run.evaluate(promptOf([TASK, listedIn(run.folder, { deniedSkills: ["coffee"] })]), {});
        assertIncludes(toldIn(requestAt(run, 0)), "Makes tea.");
        assertExcludes(toldIn(requestAt(run, 0)), "Makes coffee.");
      }),
  },
  {
    id: "listed-search",
    title: "If the catalog omits names, the model finds skills with `search_skills`",
    needs: "skill-search",
    run: (evaluator) => {
      const script = [{ call: "search_skills", input: { query: "tea" } }, () => loadCall(evaluator, skill), DONE];
      let skill: ListedSkill = { name: "", folder: "" };
      return withEvaluator(evaluator, { script, files: { ...FILES, ...MANY } }, async (run) => {
        skill = listed(run.folder, "tea");
        await run.evaluate(promptOf([TASK, listedIn(run.folder, { catalog: { budget: { tokens: 200 } } })]), {});
        assertExcludes(toldIn(requestAt(run, 0)), "Makes tea.");
        assertIncludes(requestAt(run, 1).toolResults.at(-1)?.text ?? "", "Makes tea.");
        assertIncludes(lastResult(run), "Steep for three minutes.");
      });
    },
  },
];

function listed(folder: string, name: string): ListedSkill {
  return { name, folder: join(folder, "skills", name) };
}

const FILES = {
  "tea/SKILL.md": skillFile("tea", "Steep for three minutes."),
  "tea/references/leaves.md": "Sencha is green.\n",
  "coffee/SKILL.md": skillFile("coffee", "Grind the beans."),
};

/** More names than a catalog always lists. */
const MANY = Object.fromEntries(
  Array.from({ length: 210 }, (_, index) => [`blend-${index}/SKILL.md`, skillFile(`blend-${index}`, "Mix it.")]),
);
