import { expect, test } from "vitest";
import { skillMd } from "../../../../../../test/temporary-folder.ts";
import { ignoreProblem } from "../../../core/load/report-problems.ts";
import type { SkillSource } from "../../../core/source/source.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { diagnose } from "./diagnose.ts";

const REGISTRY: SkillSource = {
  name: "registry acme",
  list: async () => [
    { folder: "tea", skillMd: skillMd("tea") },
    { folder: "coffee", skillMd: skillMd("milk") },
    { folder: "cocoa", skillMd: "" },
  ],
  read: async () => undefined,
};

test("skills of a source are diagnosed without a folder", async () => {
  const { skills, problems } = diagnose(await createSkillset([REGISTRY], { onProblem: ignoreProblem }), 8_000);
  expect(problems).toEqual([]);
  const path = "registry acme/cocoa/SKILL.md";
  const name = { path: "registry acme/coffee/SKILL.md", code: "name-folder-mismatch" };
  expect(skills).toEqual([
    { name: "milk", status: "enabled", path: null, problems: [expect.objectContaining(name)] },
    expect.objectContaining({
      name: "cocoa",
      status: "invalid",
      path: null,
      problems: [expect.objectContaining({ path })],
    }),
  ]);
});
