import { expect, test } from "vitest";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { pickSkills, taskOf } from "./task-of.ts";

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
