import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateCorpus } from "../../bench/generate-corpus.ts";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

// Real skills belong to their authors. These are generated with the same mistakes in the same proportions.
test("of 1,000 skills shaped like public ones, all with frontmatter load, and each refusal has a reason", async () => {
  const folder = generateCorpus(temporaryFolder(), { count: 1_000, seed: 18 });
  const skills = await createSkillset([folder]);
  const refused = skills.entries.filter(({ status }) => status === "invalid");
  const falsely = refused.filter(({ name }) =>
    /^\ufeff?---/.test(readFileSync(join(folder, name, "SKILL.md"), "utf8")),
  );
  expect(skills.entries.length).toBe(1_000);
  expect(falsely).toEqual([]);
  for (const { name } of refused) {
    expect(skills.problems).toContainEqual(
      expect.objectContaining({ skill: name, severity: "error", fix: expect.any(String) }),
    );
  }
  report("S18", {
    tried: "skills with the mistakes of public ones",
    cases: 1_000,
    through: falsely.length,
    note: `${refused.length} without frontmatter refused`,
  });
});
