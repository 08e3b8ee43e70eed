import { describe, expect, test } from "vitest";
import type { ScriptRunner } from "../../core/script/script.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createScriptRunner } from "./create-script-runner.ts";

const runner = (level: string, failure?: string): ScriptRunner => ({
  level,
  check: async () => failure,
  run: async () => ({ outcome: "refused", reason: "It only pretends." }),
});

describe("a runner that is named", () => {
  test("is returned if its test passes", async () => {
    const mine = runner("mine");
    expect(await createScriptRunner(mine)).toEqual({ runner: mine, skipped: [], warnings: [] });
    expect((await createScriptRunner("subprocess")).runner?.level).toBe("subprocess");
  });

  test("is not replaced by another one if its test fails", async () => {
    const found = await createScriptRunner(runner("mine", "it is broken."));
    expect(found).toMatchObject({ reason: "mine: it is broken." });
    expect(found.runner).toBeUndefined();
    const scripts = { runner: runner("mine", "it is broken.") };
    await expect(createSkillset([], { scripts })).rejects.toMatchObject({
      code: "scripts-disabled",
      message: "Scripts are disabled: mine: it is broken.",
    });
  });

  test("is refused if it is weaker than the minimum, or its strength is unknown", async () => {
    for (const level of ["subprocess", "embedded", "mine"]) {
      const reason = `the runner '${level}' is weaker than the minimum 'bubblewrap'.`;
      expect(await createScriptRunner(runner(level), { minimum: "bubblewrap" })).toMatchObject({ reason });
    }
    const strong = runner("bubblewrap");
    expect((await createScriptRunner(strong, { minimum: "embedded" })).runner).toBe(strong);
  });

  test("must exist", async () => {
    const unknown = createScriptRunner("docker" as "auto");
    await expect(unknown).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("'docker'"),
    });
  });
});

test("auto never uses subprocess", async () => {
  for (const minimum of [undefined, "embedded", "bubblewrap"] as const) {
    const found = await createScriptRunner("auto", minimum && { minimum });
    expect(["bubblewrap", "embedded", undefined]).toContain(found.runner?.level);
  }
});
