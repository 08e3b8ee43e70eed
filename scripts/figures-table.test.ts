import { expect, test } from "vitest";
import { figuresTable } from "./figures-table.ts";

test("cases with the same name are added up, and rows are sorted by requirement", () => {
  const table = figuresTable([
    { requirement: "allowed tools", tried: "lines", cases: 3, through: 0 },
    { requirement: "S10", tried: "uses", cases: 1_000, through: 0, control: "leaks" },
    { requirement: "S2", tried: "documents", cases: 5, through: 1, control: "runs it" },
    { requirement: "S10", tried: "loads", cases: 7, through: 0 },
    { requirement: "S10", tried: "uses", cases: 500, through: 2, control: "leaks" },
  ]);
  expect(table.split("\n").slice(2)).toEqual([
    "| S2 | documents | 5 | 1 | runs it |",
    "| S10 | loads | 7 | 0 | |",
    "| S10 | uses | 1,500 | 2 | leaks |",
    "| allowed tools | lines | 3 | 0 | |",
  ]);
});

test("rows of an older table stay where there is no newer one", () => {
  const older = figuresTable([
    { requirement: "S2", tried: "documents", cases: 5, through: 0 },
    { requirement: "S10", tried: "uses", cases: 500, through: 0, control: "leaks" },
  ]);
  const table = figuresTable([{ requirement: "S2", tried: "documents", cases: 9, through: 0 }], older);
  expect(table.split("\n").slice(2)).toEqual(["| S2 | documents | 9 | 0 | |", "| S10 | uses | 500 | 0 | leaks |"]);
});
