import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("2,000 compiled skills equal the same skills from their folder", { timeout: 180_000 }, () => {
  // In a separate program, because Vitest transforms each of the 4,500 chunks that it imports.
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/compare-compiled-skills.ts"], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/skills +│ 2000.*files +│ 4500.*No differences\./s);
  expect(status).toBe(0);
});
