import { expect, test } from "vitest";
import { findSummary, moveIntoChangelog } from "./release-changelog.ts";

test("a changeset becomes one item, even with several lines", () => {
  const changeset = '---\n"skillset": minor\n---\n\n`a` is now `b`.\n\nUse `b`.\n';
  expect(findSummary(changeset)).toBe("- `a` is now `b`.\n\n  Use `b`.");
});

test("unreleased entries move below the new version, after the summaries", () => {
  const before = "# Changelog\n\n## Unreleased\n\nText by hand.\n\n## 0.1.0\n\nFirst.\n";
  expect(moveIntoChangelog(before, "0.2.0", ["- One.", "- Two."])).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- One.\n- Two.\n\nText by hand.\n\n## 0.1.0\n\nFirst.\n",
  );
});

test("a changelog without an 'Unreleased' line is an error", () => {
  expect(() => moveIntoChangelog("# Changelog\n", "0.2.0", [])).toThrow("has no line '## Unreleased'");
});
