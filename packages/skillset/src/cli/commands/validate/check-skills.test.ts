import { expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { ignoreProblem } from "../../../core/load/report-problems.ts";
import type { SkillSource } from "../../../core/source/source.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { runCaptured } from "../../run-captured.ts";

const REGISTRY: SkillSource = {
  name: "registry acme",
  list: async () => [
    { folder: "tea", skillMd: skillMd("tea") },
    { folder: "cocoa", skillMd: "" },
  ],
  read: async () => undefined,
};

vi.mock("../../command-line/load.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  loadSkills: () => createSkillset([REGISTRY], { onProblem: ignoreProblem }),
}));

test("the folder checks leave out skills of a source, whose problems are reported with their address", async () => {
  const { code, stdout } = await runCaptured(["validate", "--json", "."], { cwd: temporaryFolder({}) });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ path: "registry acme/cocoa/SKILL.md", severity: "error" }] });
});
