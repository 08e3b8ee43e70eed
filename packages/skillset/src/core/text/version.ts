/** A version by the rules of semver. Missing parts are 0, so `1.2` is `1.2.0`. */
export interface Version {
  readonly parts: readonly [major: number, minor: number, patch: number];
  readonly prerelease: readonly string[];
}

/** Parses `1`, `1.2`, `v1.2.3` or `1.2.3-beta.1+build`. Returns undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = text.length > LONGEST ? null : VERSION.exec(text.trim());
  if (match === null) return undefined;
  const [, major = 0, minor = 0, patch = 0, prerelease] = match;
  return { parts: [Number(major), Number(minor), Number(patch)], prerelease: prerelease?.split(".") ?? [] };
}

const LONGEST = 256;
const VERSION =
  /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z.-]+)?$/;

/** Returns a negative number if `a` is older than `b`, a positive one if it is newer, and 0 if they are equal. */
export function compareVersions(a: Version, b: Version): number {
  return compareParts(a, b) || comparePrereleases(a.prerelease, b.prerelease);
}

/** Compares two versions without their prereleases. */
export function compareParts({ parts: a }: Version, { parts: b }: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** `1.0.0-alpha` is older than `1.0.0-alpha.1`, which is older than `1.0.0`. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, word] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (word !== other) return compareWords(word, other);
  }
  return a.length - b.length;
}

/** Numbers are compared as numbers, and are older than words. */
function compareWords(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return Number(a) - Number(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
