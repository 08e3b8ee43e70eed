import { defineSkill } from "skillset";
import { expect, test } from "vitest";
import { skillTasks } from "./skill-tasks.ts";

const tasksOf = (text: string) =>
  skillTasks(defineSkill({ name: "tea", description: "Makes tea.", body: "x", files: { "evals/evals.json": text } }));

test("the tasks of a skill are the prompts of its evaluations, each once, at most three", async () => {
  const evals = ["Make tea.", " Make tea. ", "Make coffee.", "", 7, "x".repeat(501), "Make cocoa.", "Make soup."];
  const text = JSON.stringify({ skill_name: "tea", evals: evals.map((prompt, id) => ({ id, prompt })) });
  expect(await tasksOf(text)).toEqual(["Make tea.", "Make coffee.", "Make cocoa."].map((one) => ({ text: one })));
});

test("a task with files needs a file of the user", async () => {
  const evals = [
    { prompt: "Read the attached file.", files: ["evals/files/a.csv"] },
    { prompt: "Make tea.", files: [] },
  ];
  expect(await tasksOf(JSON.stringify({ evals }))).toEqual([
    { text: "Read the attached file.", needsFile: true },
    { text: "Make tea." },
  ]);
});

test("a file of more than 200 kB has no tasks", async () => {
  const evals = [{ prompt: "Make tea." }, { prompt: "x".repeat(200_000) }];
  expect(await tasksOf(JSON.stringify({ evals }))).toEqual([]);
});

test.each(["{", "[]", "null", '{"evals": {}}', '{"evals": [null]}'])(
  "a skill with the evaluations %s has no tasks",
  async (text) => {
    expect(await tasksOf(text)).toEqual([]);
  },
);
