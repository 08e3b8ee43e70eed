import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guards } from "./guards/all.ts";

test.each(guards)("the guard '$name' occurs once in its file, and its test exists", ({ file, text, broken, test }) => {
  expect(readFileSync(file, "utf8").split(text)).toHaveLength(2);
  expect(broken).not.toBe(text);
  expect(existsSync(test)).toBe(true);
});

test("guards have different names, and every requirement has one", () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
  const covered = new Set(guards.map(({ requirement }) => requirement));
  const page = readFileSync("docs/security.md", "utf8");
  const requirements = [...page.matchAll(/^\| (S\d+) \| /gm)].map(([, name]) => name);
  expect(requirements.filter((name) => name !== undefined && !covered.has(name))).toEqual([]);
});
