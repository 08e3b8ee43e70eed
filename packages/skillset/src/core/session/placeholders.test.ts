import { expect, test } from "vitest";
import { fillPlaceholders } from "./placeholders.ts";

const fill = (body: string, words?: string, names: readonly string[] = []): string =>
  fillPlaceholders(body, { arguments: words, names }).text;

test.each([
  ["$ARGUMENTS", 'a "b c"', 'a "b c"'],
  [`$${"{ARGUMENTS}"}!`, "a b", "a b!"],
  ["$0 then $1, $ARGUMENTS[1]", 'a "b c"', "a then b c, b c"],
  ["$0|$1|$2", "a", "a|$1|$2"],
  ["$ARGUMENTS[7]", "a", "$ARGUMENTS[7]"],
  ["$ARGUMENTS[x] $ARGUMENTSX $ARGUMENTS_0", "a", "a[x] $ARGUMENTSX $ARGUMENTS_0"],
  ["It costs $0.50, $0,000, $00 or $0k; pay $0.", "a", "It costs $0.50, $0,000, a or $0k; pay a."],
  [String.raw`\$0 \$ARGUMENTS \$ARGUMENTS[0] \$9 \$other`, "a", String.raw`$0 $ARGUMENTS $ARGUMENTS[0] $9 \$other`],
  ["$0", "$1 b", "$1"],
  ["$0 $1", "$HOME `id`", "$HOME `id`"],
  ["$0|$1", "the user's bug", "the|user's"],
  ["$0", "", "$0"],
  ["[$ARGUMENTS]", "", "[]"],
])("%s with the arguments %j is %j", (body, words, filled) => {
  expect(fill(body, words)).toBe(filled);
});

test("names replace single words, the longest name first", () => {
  const body = "Fix $issue in $issue-branch; $issues, $missing and $issue.";
  expect(fill(body, "7 main", ["issue", "issue-branch", "missing"])).toBe("Fix 7 in main; $issues, $missing and 7.");
});

test("a name that cannot be used keeps the positions of the others", () => {
  expect(fill("$b", "1 2", ["", "b"])).toBe("2");
});

test("without arguments every placeholder stays, also an escaped one", () => {
  const body = String.raw`$ARGUMENTS $0 \$1 $name`;
  expect(fill(body, undefined, ["name"])).toBe(body);
});

test("reports whether arguments replaced a placeholder", () => {
  const isFilled = (body: string) => fillPlaceholders(body, { arguments: "a" }).hasArguments;
  expect(["$ARGUMENTS", "$0", "$1", String.raw`\$0`, "none", `$${"{SKILL_DIR}"}`].map(isFilled)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
