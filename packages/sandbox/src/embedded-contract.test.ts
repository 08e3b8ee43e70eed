import { type ContractRunner, scriptRunnerContract } from "@skillset/testing";
import { describe, test } from "vitest";
import { embedded } from "./embedded.ts";

const contract: ContractRunner = {
  name: "embedded",
  runner: embedded(),
  lacks: {
    processes: "its shell is a program in one process",
    memory: "its shell limits the size of values before the process reaches its limit",
  },
};

/** Where just-bash differs from a system's shell. One that it has after all fails here. The README describes them. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  binary: "its printf writes characters, not bytes",
  environment: "its env also lists variables of the shell itself",
};

describe("embedded", () => {
  for (const { id, title, needs = [], run } of scriptRunnerContract) {
    if (needs.some((need) => contract.lacks?.[need] !== undefined)) continue;
    const difference = DIFFERENCES[id];
    if (difference !== undefined) test.fails(`${id}: differs, because ${difference}`, () => run(contract));
    else test(`${id}: ${title}`, () => run(contract));
  }
});
