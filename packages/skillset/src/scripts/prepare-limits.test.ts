import { expect, test } from "vitest";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { ScriptRunner } from "../core/script/script.ts";
import { createSkillset } from "../node/load/create-skillset.ts";

test.each([
  ["timed-out", "", "it took more than 10 minutes"],
  ["output-limit", "", "the packages need more than 2 GB or 200,000 files"],
  ["output-limit", "x".repeat(1_000_000), "it printed more than 1 MB"],
  ["memory-limit", "", "it needed more than 1 GB of memory"],
  ["process-limit", "", "it had more than 128 processes and threads"],
] as const)("an installation that ends with %s has a reason in words", async (outcome, stdout, reason) => {
  const runner: ScriptRunner = {
    level: "plain",
    check: async () => undefined,
    run: async () => ({ outcome: "refused", reason: "" }),
    platform: async () => "test",
    prepare: async () => ({ outcome, command: [], stdout, stderr: "" }),
  };
  const folder = temporaryFolder({ "SKILL.md": skillMd("tea"), "requirements.txt": "greet" });
  const scripts = { runner, consent: () => "once" as const, packages: { folder: cacheFolder() } };
  const session = await (await createSkillset([folder], { onProblem: () => {}, scripts })).session();
  expect(await session.scripts.prepare("tea")).toMatchObject({
    outcome: "failed",
    reason: `The installation was stopped: ${reason}.`,
  });
});
