import { describe, expect, test } from "vitest";
import { SkillManifestSchema } from "./manifest-schema.ts";

const valid = { name: "pdf", description: "Reads PDFs." };

describe("SkillManifestSchema", () => {
  test("returns what it accepts", () => {
    const full = {
      ...valid,
      license: "MIT",
      compatibility: "Node",
      metadata: { author: "Ann" },
      "allowed-tools": "Read Write",
    };
    expect(SkillManifestSchema.parse(full)).toBe(full);
    expect(SkillManifestSchema.safeParse(full)).toEqual({ success: true, data: full });
    expect(SkillManifestSchema["~standard"].validate(full)).toEqual({ value: full });
  });

  test.each([
    ["an unknown field", { ...valid, colour: "blue" }, "'colour'"],
    ["a name outside the pattern", { ...valid, name: "a--b" }, "two hyphens"],
    ["a name of 65 characters", { ...valid, name: "a".repeat(65) }, "65 characters"],
    ["an empty description", { ...valid, description: "" }, "'description' is empty"],
    ["a description of 1,025 characters", { ...valid, description: "d".repeat(1025) }, "1025"],
    ["an empty compatibility", { ...valid, compatibility: "" }, "'compatibility' is empty"],
    ["a compatibility of 501 characters", { ...valid, compatibility: "c".repeat(501) }, "501"],
    ["a metadata value that is a number", { ...valid, metadata: { version: 1 } }, "'version' must be a string"],
    ["allowed-tools that are a number", { ...valid, "allowed-tools": 1 }, "'allowed-tools'"],
    ["allowed-tools that are null", { ...valid, "allowed-tools": null }, "'allowed-tools' must be a string"],
    ["a tool that is a number", { ...valid, "allowed-tools": [1] }, "Each tool in 'allowed-tools'"],
    ["a name with a line break at its end", { ...valid, name: "abc\n" }, "spaces or line breaks around it"],
    ["a name with spaces around it", { ...valid, name: " abc " }, "spaces or line breaks around it"],
    ["a list", [valid], "must be an object"],
    ["nothing", undefined, "must be an object"],
  ])("%s is rejected with a message that names it", (_, value, message) => {
    expect(() => SkillManifestSchema.parse(value)).toThrow(message);
    expect(SkillManifestSchema.safeParse(value)).toMatchObject({ success: false });
    expect(SkillManifestSchema["~standard"].validate(value)).toMatchObject({
      issues: [{ message: expect.stringContaining(message) }],
    });
  });

  test("allowed-tools may be a list", () => {
    expect(SkillManifestSchema.safeParse({ ...valid, "allowed-tools": ["Read"] }).success).toBe(true);
  });
});
