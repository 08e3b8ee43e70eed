import { compareParts, compareVersions, parseVersion, type Version } from "./version.ts";

/** Whether a version is in a range. */
export type VersionTest = (version: Version) => boolean;

/**
 * Parses a range as npm writes it (`^1.2`, `~1.2.3`, `>=18 <21`, `1.x || 2.x`, `1.2 - 2.0`) or as Python does
 * (`>=3.10,<4`, `~=3.10`, `==3.11.*`, `!=3.12`). Returns undefined for anything else. A version without its last parts
 * means all versions that start with it, so `>3.10` starts at `3.11`.
 */
export function parseRange(text: string): VersionTest | undefined {
  if (text.length > LONGEST) return undefined;
  const alternatives = text.split("||").map(parseAlternative);
  return alternatives.every((one) => one !== undefined)
    ? (version) => alternatives.some((isIn) => isIn(version))
    : undefined;
}

const LONGEST = 256;

function parseAlternative(text: string): VersionTest | undefined {
  const joined = text
    .trim()
    .replace(/^(\S+)\s+-\s+(\S+)$/, ">=$1 <=$2")
    .replace(/([<>=~^!])\s+/g, "$1");
  const tests = joined.split(/\s*,\s*|\s+/).map(parseComparator);
  return tests.every((one) => one !== undefined) ? (version) => tests.every((isIn) => isIn(version)) : undefined;
}

const COMPARATOR =
  /^(>=|<=|>|<|={1,3}|!=|~=|~>|~|\^)?v?((?:\d{1,9}|[xX*])(?:\.(?:\d{1,9}|[xX*])){0,2})(-[\dA-Za-z.-]+)?$/;

function parseComparator(text: string): VersionTest | undefined {
  const [, operator = "=", numbers = "", prerelease = ""] = COMPARATOR.exec(text) ?? [];
  const words = numbers.split(".");
  const wildcard = words.findIndex((word) => /[xX*]/.test(word));
  const given = wildcard === -1 ? words : words.slice(0, wildcard);
  if (numbers === "" || (prerelease !== "" && given.length < 3)) return undefined;
  if (given.length === 0) return /^(?:=+|>=|<=)$/.test(operator) ? () => true : undefined;
  const low = parseVersion(given.join(".") + prerelease);
  return low && compile(operator, low, given.length);
}

/** `size` is the number of parts that the range names: 2 for `1.2`. */
function compile(operator: string, low: Version, size: number): VersionTest {
  const isAtLeast: VersionTest = (version) => compareVersions(version, low) >= 0;
  const isWithin = (until: Version): VersionTest => and(isAtLeast, isBelow(until));
  const isSame: VersionTest =
    size === 3 ? (version) => compareVersions(version, low) === 0 : isWithin(after(low, size));
  switch (operator) {
    case ">=":
      return isAtLeast;
    case "<":
      return isBelow(low);
    case ">":
      return size === 3
        ? (version) => compareVersions(version, low) > 0
        : (version) => compareVersions(version, after(low, size)) >= 0;
    case "<=":
      return size === 3 ? (version) => compareVersions(version, low) <= 0 : isBelow(after(low, size));
    case "^":
      return isWithin(after(low, Math.min(size, low.parts.findIndex((part) => part > 0) + 1 || size)));
    case "~":
    case "~>":
      return isWithin(after(low, Math.min(size, 2)));
    case "~=":
      return isWithin(after(low, Math.max(size - 1, 1)));
    case "!=":
      return (version) => !isSame(version);
    default:
      return isSame;
  }
}

function and(one: VersionTest, other: VersionTest): VersionTest {
  return (version) => one(version) && other(version);
}

/** `4.0.0-beta` is not below `4`, although it is older than `4.0.0`. */
function isBelow(limit: Version): VersionTest {
  return (version) =>
    (limit.prerelease.length === 0 ? compareParts(version, limit) : compareVersions(version, limit)) < 0;
}

/** The first version after all that start with the first `size` parts. */
function after({ parts: [major, minor, patch] }: Version, size: number): Version {
  const parts = [
    [major + 1, 0, 0],
    [major, minor + 1, 0],
    [major, minor, patch + 1],
  ] as const;
  return { parts: parts[size - 1] ?? parts[2], prerelease: [] };
}
