import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "./version.ts";

test("the version in the code is the version of the package", () => {
  const { version } = JSON.parse(readFileSync("packages/skillset/package.json", "utf8")) as { version: string };
  expect(VERSION).toBe(version);
});
