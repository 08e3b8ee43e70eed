import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluatorContract } from "../../packages/testing/src/index.ts";
import { contractTable, reasonAgainst } from "./adapters/table.ts";
import { evaluators, tableColumns } from "./evaluators/all.ts";

describe.for(evaluators)("$name", (evaluator) => {
  for (const scenario of evaluatorContract) {
    if (reasonAgainst(scenario, evaluator) === undefined)
      test(`${scenario.id}: ${scenario.title}`, () => scenario.run(evaluator));
  }
});

describe("the contract of an evaluator", () => {
  test("has scenarios with unique ids", () => {
    expect(new Set(evaluatorContract.map(({ id }) => id)).size).toBe(evaluatorContract.length);
  });

  test("needs every capability that an evaluator lacks", () => {
    const needed = evaluatorContract.map(({ needs }) => needs as string);
    for (const { lacks = {} } of tableColumns) expect(needed).toEqual(expect.arrayContaining(Object.keys(lacks)));
  });

  test("is up to date in docs/prompt.md; if not, run `npx node scripts/evaluators-table.ts`", () => {
    const table = contractTable(evaluatorContract, tableColumns, () => false);
    expect(readFileSync("docs/prompt.md", "utf8").includes(table)).toBe(true);
  });
});
