import { readdirSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { runCaptured } from "../run-captured.ts";

describe("skillset tour", () => {
  test("shows every step, ends with next steps, and leaves no files behind", async () => {
    const temporary = temporaryFolder();
    vi.stubEnv("TMPDIR", temporary);
    const { code, stdout, stderr } = await runCaptured(["tour"], { cwd: temporary });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const step of ["1.", "2.", "3.", "4.", "5."])
      expect(stdout).toContain(`\n${step} `.slice(step === "1." ? 1 : 0));
    expect(stdout).toContain("<available_skills>");
    expect(stdout).toContain("SKILL.md:3:39: warning:");
    expect(stdout.split("What to try next")[1]?.match(/npx skillset/g)?.length).toBeGreaterThanOrEqual(3);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
