import { describe, expect, test } from "vitest";
import { type ContractRunner, scriptRunnerContract } from "../../testing/index.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { subprocess } from "./subprocess.ts";

const runners: readonly ContractRunner[] = [
  { name: "subprocess", runner: subprocess(), lacks: { contained: "subprocess has no sandbox" } },
  { name: "bubblewrap", runner: bubblewrap() },
];

describe.for(runners)("$name", (contract) => {
  const { runner } = contract;
  const isMissing = "isInstalled" in runner && runner.isInstalled === false;
  if (isMissing) test.skip("needs bubblewrap: apt-get install bubblewrap", () => {});
  for (const { id, title, needs = [], run } of isMissing ? [] : scriptRunnerContract) {
    const reason = needs.map((need) => contract.lacks?.[need]).find(Boolean);
    if (reason === undefined) test(`${id}: ${title}`, () => run(contract));
  }
});

describe("the contract of a runner", () => {
  test("has scenarios with different ids", () => {
    expect(new Set(scriptRunnerContract.map(({ id }) => id)).size).toBe(scriptRunnerContract.length);
  });
});
