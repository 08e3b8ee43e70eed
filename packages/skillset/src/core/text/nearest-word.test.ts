import { expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { defineSkill } from "../skill/define-skill.ts";
import { nearestWord, nearestWords } from "./nearest-word.ts";

test("the nearest words come first, and distant ones are left out", () => {
  const words = ["zebra", "seo-report", "seo-audits", "seo-audit"];
  expect(nearestWords("seo_audit", words)).toEqual(["seo-audit", "seo-audits"]);
  expect(nearestWords("SEO-Audit", words)[0]).toBe("seo-audit");
  expect(nearestWords("x", words)).toEqual([]);
});

test("the suggestion is the only word with the same prefix, or the nearest one, ignoring case", () => {
  expect(nearestWord("rec", ["json", "recursive"])).toBe("recursive");
  expect(nearestWord("Jsno", ["recursive", "json"])).toBe("json");
  expect(nearestWord("x", ["recursive", "json"])).toBeUndefined();
});

test("a model that misspells a name sees the nearest names first, even among many", async () => {
  const names = [...Array.from({ length: 30 }, (_, index) => `other-${index}`), "seo-audit"];
  const skills = await createSkillset(
    names.map((name) => defineSkill({ name, description: `Does ${name}.`, body: "x" })),
  );
  const session = await skills.session();
  await expect(session.activate("seo_audit")).rejects.toThrow(
    /^Unknown skill 'seo_audit'\. Available: seo-audit, other-0, .*, and 11 more\.$/,
  );
});
