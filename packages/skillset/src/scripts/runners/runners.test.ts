import { describe, expect, test } from "vitest";
import { type ContractRunner, scriptRunnerContract } from "../../../../testing/src/index.ts";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "../../core/script/script.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { subprocess } from "./subprocess.ts";

const SILENT = new AbortController().signal;

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

  const good = subprocess();
  const change = (by: (job: ScriptJob) => Partial<ScriptJob>): ScriptRunner["run"] => {
    return (job) => good.run({ ...job, ...by(job) });
  };
  test.each<[string, string, ScriptRunner["run"]]>([
    ["args", "splits arguments at spaces", change(({ args }) => ({ args: args.flatMap((arg) => arg.split(" ")) }))],
    ["stdin", "drops the input", change(() => ({ stdin: "" }))],
    ["quoted-args", "removes quotes", change(({ args }) => ({ args: args.map((arg) => arg.replaceAll("'", "")) }))],
    ["quoted-stdin", "trims the input", change(({ stdin = "" }) => ({ stdin: stdin.replaceAll("\n ", "\n") }))],
    ["quoted-names", "splits names at spaces", change(({ script }) => ({ script: script.replace(/ .*/, "") }))],
    ["quoted-variables", "drops the variables", change(() => ({ env: {} }))],
    ["abort", "ignores the signal", change(({ limits }) => ({ signal: SILENT, limits: { ...limits, time: 500 } }))],
    ["stdout-limit", "has no limit", change(({ limits }) => ({ limits: { ...limits, output: 10 ** 9 } }))],
    ["progress", "shows no progress", change(() => ({ onOutput: () => {} }))],
    ["exit-code", "always succeeds", async (job) => ({ ...(await good.run(job)), exitCode: 0 }) as ScriptEnd],
    ["no-host-files", "contains nothing", good.run],
    ["read-only", "has a skill that can be changed", good.run],
    ["no-network", "has a network", good.run],
  ])("%s: does not pass a runner that %s", async (id, _, run) => {
    const scenario = scriptRunnerContract.find((one) => one.id === id);
    const mistaken = { name: "mistaken", runner: { ...good, run } };
    await expect(scenario?.run(mistaken)).rejects.toMatchObject({ name: "AssertionError" });
  });
});
