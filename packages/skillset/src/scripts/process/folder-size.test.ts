import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nestBeyondPaths } from "../../../../../test/nest-beyond-paths.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { folderSize } from "./folder-size.ts";

const LIMIT = 10_000;
const LARGE = "x".repeat(20_000);

test("counts the files at every depth", async () => {
  const folder = temporaryFolder({ a: "x".repeat(100), "b/c/d": "x".repeat(50) });
  expect(await folderSize(folder, LIMIT)).toBe(150);
});

test("a folder that no path can name counts as too large", async () => {
  const folder = temporaryFolder();
  nestBeyondPaths(folder, { large: LARGE });
  expect(await folderSize(folder, LIMIT)).toBeGreaterThan(LIMIT);
});

test.skipIf(process.platform !== "linux")("files and folders with names that are not UTF-8 count", async () => {
  const folder = temporaryFolder();
  writeFileSync(Buffer.from(`${folder}/\xff`, "latin1"), "x".repeat(300));
  mkdirSync(join(folder, "plain"));
  writeFileSync(join(folder, "plain/file"), "x".repeat(200));
  renameSync(join(folder, "plain"), Buffer.from(`${folder}/\xfe`, "latin1"));
  expect(await folderSize(folder, LIMIT)).toBe(500);
});
