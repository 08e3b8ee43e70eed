import { expect, test } from "vitest";
import type { SkillRow } from "../../../shared/skills-api.ts";
import { nextSort, sortRows } from "./sort-rows.ts";

const row = (name: string, activations: number): SkillRow => ({
  ...{ name, activations, description: "", state: "enabled", source: "x", chats: 0 },
  ...{ isUserInvocable: true, isModelInvocable: true, problems: 0 },
});
const ROWS = [row("b-10", 1), row("b-9", 3), row("a", 1)];
const names = (rows: readonly SkillRow[]) => rows.map(({ name }) => name);

test("names are sorted with their numbers, and equal rows keep their order", () => {
  expect(names(sortRows(ROWS, { column: "name", isDescending: false }))).toEqual(["a", "b-9", "b-10"]);
  expect(names(sortRows(ROWS, { column: "activations", isDescending: true }))).toEqual(["b-9", "b-10", "a"]);
  expect(names(sortRows(ROWS, { column: "source", isDescending: true }))).toEqual(["b-10", "b-9", "a"]);
});

test("a column is sorted the other way when it is chosen again, and most used skills come first", () => {
  const byName = { column: "name", isDescending: false } as const;
  expect(nextSort(byName, "name")).toEqual({ column: "name", isDescending: true });
  expect(nextSort(byName, "state")).toEqual({ column: "state", isDescending: false });
  expect(nextSort(byName, "activations")).toEqual({ column: "activations", isDescending: true });
});
