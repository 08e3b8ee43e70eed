import { expect, test } from "vitest";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { messageFor, pickSkills, taskOf } from "./task-of.ts";

test.each([
  ["Review a code change (diff, branch or commit) for bugs. Use when asked.", "Review this code change"],
  ["Summarise a CSV, TSV or JSON file - columns and types.", "Summarise this CSV"],
  ["Find and fix the cause of a bug step by step - reproduce.", "Find and fix the cause of a bug step by step"],
  ["Write, improve or review an Agent Skill (a folder).", "Write, improve or review an Agent Skill"],
  ["Reviews pull requests.", "Review pull requests"],
  ["Applies a patch.", "Apply this patch"],
  ["Fixes bugs in code.", "Fix bugs in code"],
  ["Counts apples. Use when asked about apples.", "Count apples"],
  ["Notes.", "Use notes"],
  ["", "Use notes"],
])("%j is the task %j", (description, task) => {
  expect(taskOf({ name: "notes", description })).toBe(task);
});

test("a long description without a stop is cut", () => {
  expect(taskOf({ name: "notes", description: `Write ${"very ".repeat(100)}long` }).length).toBeLessThanOrEqual(90);
});

const named = (names: readonly string[]) => names.map((name) => ({ name, description: "" }) as SkillCommand);

test("skills that test the system are suggested only if there are no others", () => {
  const names = (...all: string[]) => pickSkills(named(all), 3).map(({ name }) => name);
  expect(names("a", "b", "skills-system-validation", "z")).toEqual(["a", "b", "z"]);
  expect(names("a", "skills-system-validation")).toEqual(["a", "skills-system-validation"]);
  expect(names("a", "b", "c", "d", "e")).toEqual(["a", "c", "e"]);
});

test("skills with a task are suggested before others, in their order, and one of them has a task about a file", () => {
  const task = { text: "Do it." };
  const commands = [
    ...named(["a", "b", "c"]),
    ...named(["d", "e", "f", "g"]).map((command) => ({ ...command, task })),
    ...named(["h"]).map((command) => ({ ...command, task: { ...task, needsFile: true } })),
    ...named(["i"]).map((command) => ({ ...command, task })),
  ];
  const names = (count: number) => pickSkills(commands, count).map(({ name }) => name);
  expect(names(3)).toEqual(["d", "h", "i"]);
  expect(names(1)).toEqual(["h"]);
  expect(names(8)).toEqual(["a", "c", "d", "e", "f", "g", "h", "i"]);
});

test("a message for a skill has its task, or the start of one", () => {
  expect(messageFor({ name: "tea", description: "Makes tea.", task: { text: "Make green tea." } })).toBe(
    "/tea Make green tea.",
  );
  expect(messageFor({ name: "tea", description: "Makes tea." })).toBe("/tea Make tea: ");
});
