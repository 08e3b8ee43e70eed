import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, parseVersion, type Version } from "./version.ts";
import { parseRange } from "./version-range.ts";

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new TypeError(text);
  return parsed;
}

describe("a version", () => {
  test("is ordered as semver says", () => {
    const ordered = [
      "0.0.1",
      "0.9",
      "1.0.0-0",
      "1.0.0-9",
      "1.0.0-10",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-rc.1",
      "1",
      "1.0.1",
      "v1.2",
      "1.10.0",
      "2.0.0+build.7",
    ];
    expect(ordered.toReversed().toSorted((a, b) => compareVersions(version(a), version(b)))).toEqual(ordered);
    expect(compareVersions(version("1.0"), version("1.0.0+build"))).toBe(0);
  });

  test.each([
    "",
    "latest",
    "1.",
    "1.2.3.4",
    "1.2.3-",
    "-1",
    "1,2",
    "1.2.3 beta",
    "1e3",
    "9".repeat(10),
    "1.".repeat(200),
  ])("is not %j", (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe("a range", () => {
  test.each([
    [">=3.10,<4", "3.10.0 3.10.4 3.13.1", "3.9.18 4.0.0 2.7"],
    [">= 3.10, < 4", "3.10.0", "3.9.0 4.0.0"],
    [">=18 <21", "18.0.0 20.19.0", "17.9.9 21.0.0 21.0.0-nightly"],
    ["20", "20.0.0 20.19.1", "19.9.9 21.0.0"],
    ["20.x", "20.5.0", "21.0.0"],
    ["3.11.*", "3.11.0 3.11.9", "3.12.0 3.10.9"],
    ["==3.11", "3.11.4", "3.12.0"],
    ["==3.11.4", "3.11.4", "3.11.5"],
    ["!=3.11", "3.10.1 3.12.0", "3.11.4"],
    ["~=3.10", "3.10.0 3.99.0", "3.9.0 4.0.0"],
    ["~=3.10.2", "3.10.2 3.10.9", "3.10.1 3.11.0"],
    ["^1.2", "1.2.0 1.9.0", "1.1.9 2.0.0 2.0.0-rc.1"],
    ["^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0"],
    ["^0.0.3", "0.0.3", "0.0.4"],
    ["^0", "0.0.0 0.9.0", "1.0.0"],
    ["~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"],
    ["~1", "1.0.0 1.9.0", "2.0.0"],
    [">3.10", "3.11.0 4.0.0", "3.10.0 3.10.9"],
    ["<=3.10", "3.10.9 2.0.0", "3.11.0"],
    ["> 1.2.3", "1.2.4", "1.2.3"],
    ["1.2 - 2.0", "1.2.0 2.0.9", "1.1.0 2.1.0"],
    ["18 || >=20", "18.4.0 22.0.0", "19.0.0"],
    ["*", "0.0.0 99.0.0", ""],
    [">=22.0.0-rc.1", "22.0.0-rc.2 22.0.0", "22.0.0-beta"],
    ["v20", "20.1.0", "21.0.0"],
  ])("%j has %s, and not %s", (text, inside, outside) => {
    const isIn = parseRange(text);
    const words = (list: string) => list.split(" ").filter(Boolean);
    expect(words(inside).filter((one) => !isIn?.(version(one)))).toEqual([]);
    expect(words(outside).filter((one) => isIn?.(version(one)))).toEqual([]);
  });

  test.each([
    "",
    "  ",
    "latest",
    ">=",
    "3.10 or later",
    ">=3.10,,<4",
    "<*",
    "1.2.3.4",
    "||",
    "=>3",
    "1.2-beta",
    "🐍",
    ">=3.10<4",
  ])("is not %j", (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  test("is parsed or refused, whatever it says", () => {
    const pieces = fc.constantFrom(
      ">=",
      "<",
      "^",
      "~=",
      "!=",
      "1",
      "2.3",
      "4.5.6",
      ".",
      "*",
      "x",
      "-",
      " ",
      ",",
      "||",
      "-rc.1",
      "v",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        expect(["boolean", "undefined"]).toContain(typeof parseRange(parts.join(""))?.(version("2.3.4")));
      }),
      { numRuns: 3_000 },
    );
  });
});
