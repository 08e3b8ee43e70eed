import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../base/limits.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { Skill } from "../skill/skill.ts";
import { perfectScore } from "./fit.ts";
import { createRankIndex } from "./rank.ts";

const library = [
  fake("pdf-forms", "Fills in and flattens PDF forms. Use when a form has to be signed."),
  fake("code-review", "Reviews a pull request for bugs."),
  fake("weather", "Reports the weather, with a forecast for the week. 查询天气。"),
  ...Array.from({ length: 200 }, (_, at) =>
    fake(`topic-${at}`, `Explains topic ${at} with a good example in the house.`),
  ),
];

describe("fit", () => {
  test.each([
    ["fill in a pdf form", "pdf-forms"],
    ["please review this pull request", "code-review"],
    ["weather", "weather"],
    ["明天天气怎么样", "weather"],
    [
      `Look at the pull request and review it for bugs. ${"It touches the parser and the printer. ".repeat(20)}`,
      "code-review",
    ],
  ])("of the right skill is above the default threshold: %s", async (query, name) => {
    const [best] = (await createRankIndex(library)).search(query);
    expect(best?.skill.name).toBe(name);
    expect(best?.fit).toBeGreaterThanOrEqual(DEFAULTS.fit);
    expect(best?.fit).toBeLessThanOrEqual(1);
  });

  test.each([
    "repair a leaking kitchen faucet in the house",
    "knit a good sweater with needles",
    "金鱼的一个例子 good",
  ])("of every skill is below the default threshold if nothing fits: %s", async (query) => {
    const found = (await createRankIndex(library)).search(query);
    expect(found.length).toBeGreaterThan(0);
    for (const { fit } of found) expect(fit).toBeLessThan(DEFAULTS.fit);
  });

  test("does not depend on how many common words a request adds", () => {
    expect(perfectScore([7, 1, 5, 6])).toBe(18);
    expect(perfectScore([7, 5, 6, 1, 1, 1, 1, 1])).toBe(18);
    expect(perfectScore([2])).toBe(2);
  });
});

function fake(name: string, description: string): Skill {
  return defineSkill({ name, description, body: "Work." });
}
