import { expect, test } from "vitest";
import { stepUsageText, usageText } from "./figures.ts";

const usage = { input: 1804, output: 12 };

test.each([
  [{ ...usage, isEstimate: false }, "1,804 in · 12 out"],
  [{ ...usage, isEstimate: true }, "≈ 1,804 in · ≈ 12 out"],
  [{ ...usage, isEstimate: false, cost: 0.01234 }, "1,804 in · 12 out · $0.012"],
  [{ ...usage, isEstimate: true, cost: 0.01234 }, "≈ 1,804 in · ≈ 12 out · ≈ $0.012"],
  [{ ...usage, isEstimate: true, cost: 0 }, "≈ 1,804 in · ≈ 12 out · $0"],
])("the usage of a step, %o, is shown as %s", (step, text) => {
  expect(stepUsageText(step)).toBe(text);
});

test("an answer that is partly estimated is shown as an estimate", () => {
  expect(usageText({ steps: 2, ...usage, isEstimate: true, cost: 0.00001 })).toBe(
    "2 steps · ≈ 1,816 tokens · ≈ <$0.0001",
  );
});
