import { expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createScriptRunner } from "./create-script-runner.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)("the sandbox runtime refuses to run as root, and says what to do", async () => {
  const reason = "sandbox-runtime: it does not contain scripts of root. Start this program as another user.";
  expect(await createScriptRunner("sandbox-runtime")).toMatchObject({ reason });
  await expect(createSkillset([], { scripts: { runner: "sandbox-runtime" } })).rejects.toMatchObject({
    code: "scripts-disabled",
    message: `Scripts are disabled: ${reason}`,
  });
  const end = await sandboxRuntime().run({
    skillFolder: "/",
    outputFolder: "/",
    script: "a.sh",
    args: [],
    limits: { time: 1_000, output: 1_000, memory: 2 ** 28, processes: 8, files: 1_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  expect(end).toEqual({ outcome: "refused", reason: "The sandbox does not work on this machine." });
});

test("the sandbox runtime is stronger than embedded, and weaker than bubblewrap", async () => {
  const works = { ...sandboxRuntime(), check: async () => undefined };
  for (const minimum of ["embedded", "sandbox-runtime"] as const)
    expect((await createScriptRunner(works, { minimum })).runner).toBe(works);
  expect(await createScriptRunner(works, { minimum: "bubblewrap" })).toMatchObject({
    reason: "the runner 'sandbox-runtime' is weaker than the minimum 'bubblewrap'.",
  });
  const embedded = { ...works, level: "embedded" };
  expect(await createScriptRunner(embedded, { minimum: "sandbox-runtime" })).toMatchObject({
    reason: "the runner 'embedded' is weaker than the minimum 'sandbox-runtime'.",
    fix: "Install the package bubblewrap (Linux), or run: npm install @anthropic-ai/sandbox-runtime",
  });
});
