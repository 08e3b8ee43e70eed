import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { Redactor } from "../core/script/redactor.ts";
import { hideInFiles } from "./hide-in-files.ts";

const SECRET = "canary-7f3a9Q-secret";
const redactor = new Redactor([["TOKEN", SECRET]]);

/** Writes files, and hides the secret in them. */
async function hide(contents: Readonly<Record<string, string>>, signal = new AbortController().signal) {
  const folder = temporaryFolder(contents);
  const files = Object.keys(contents).map((path) => ({ path, size: statSync(join(folder, path)).size }));
  return { folder, ...(await hideInFiles(folder, { files, droppedFiles: [], touched: files }, redactor, { signal })) };
}

test("a secret is replaced wherever a file is cut into parts", async () => {
  const before = "line\n".repeat(13_107);
  for (let more = 0; more <= SECRET.length; more++) {
    const start = before + "=".repeat(more);
    const { folder, files } = await hide({ "a.txt": `${start.slice(SECRET.length)}${SECRET} after\n` });
    const expected = `${start.slice(SECRET.length)}[TOKEN] after\n`;
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(expected);
    expect(files).toEqual([{ path: "a.txt", size: expected.length }]);
  }
});

test("other work runs while a file is checked, and an abort removes what is not checked", async () => {
  const controller = new AbortController();
  let turns = 0;
  const count = (): void => {
    turns++;
    if (existsSync(join(folder, "b.txt")) && turns === 5) controller.abort();
    if (turns < 50) setImmediate(count);
  };
  const contents = { "a.txt": `a ${SECRET}\n`, "b.txt": `${SECRET} ${"word ".repeat(390_000)}`, "c.txt": "c\n" };
  const folder = temporaryFolder(contents);
  const files = Object.keys(contents).map((path) => ({ path, size: statSync(join(folder, path)).size }));
  setImmediate(count);
  const kept = await hideInFiles(folder, { files, droppedFiles: [], touched: files }, redactor, {
    signal: controller.signal,
  });
  expect(kept).toEqual({
    files: [{ path: "a.txt", size: 10 }],
    droppedFiles: [
      { path: "b.txt", reason: "it was not checked" },
      { path: "c.txt", reason: "it was not checked" },
    ],
  });
  expect(["a.txt", "b.txt", "c.txt"].map((path) => existsSync(join(folder, path)))).toEqual([true, false, false]);
});

test("after an abort nothing that a run wrote is kept, also if it is large", async () => {
  const { folder, ...kept } = await hide({ "large.txt": "x".repeat(2_000_001) }, AbortSignal.abort());
  expect(kept).toEqual({ files: [], droppedFiles: [{ path: "large.txt", reason: "it was not checked" }] });
  expect(existsSync(join(folder, "large.txt"))).toBe(false);
});

test("a file that hides its change is searched, and reported if it had a secret", async () => {
  const folder = temporaryFolder({ "old.txt": `${SECRET}\n`, "same.txt": "nothing\n" });
  const touched = ["old.txt", "same.txt"].map((path) => ({ path, size: statSync(join(folder, path)).size }));
  const { signal } = new AbortController();
  const kept = await hideInFiles(folder, { files: [], droppedFiles: [], touched }, redactor, { signal });
  expect(readFileSync(join(folder, "old.txt"), "utf8")).toBe("[TOKEN]\n");
  expect(kept.files).toEqual([{ path: "old.txt", size: 8 }]);
});
