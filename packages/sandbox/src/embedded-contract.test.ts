import { type ContractRunner, scriptRunnerContract } from "skillset/testing";
import { describe, test } from "vitest";
import { embedded } from "./embedded.ts";

const contract: ContractRunner = {
  name: "embedded",
  runner: embedded(),
  lacks: { processes: "its shell is a program in one process" },
};

describe("embedded", () => {
  for (const { id, title, needs = [], run } of scriptRunnerContract) {
    const isLacking = needs.some((need) => contract.lacks?.[need] !== undefined);
    if (!isLacking) test(`${id}: ${title}`, () => run(contract));
  }
});
