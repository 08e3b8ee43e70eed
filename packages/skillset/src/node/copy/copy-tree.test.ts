import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { CopyBudget, SKILL_LIMITS } from "./copy-budget.ts";
import { copyTree } from "./copy-tree.ts";

test("a large file is copied in pieces, so that a copy can stop within it and reports its progress", () => {
  const root = temporaryFolder({ "from/large.bin": "" });
  const file = join(root, "from/large.bin");
  const content = Buffer.alloc(1024 * 1024 + 1, "0123456789");
  writeFileSync(file, content);
  // A file with this bit is never cloned, so the test is the same on every file system.
  chmodSync(file, 0o1644);
  const budget = new CopyBudget();
  const counts: number[] = [];
  for (const _ of copyTree(join(root, "from"), join(root, "to"), { symlinks: "contained", readOnly: false, budget }))
    counts.push(budget.bytes);
  expect(counts.length).toBeGreaterThan(4);
  expect(counts[0]).toBeLessThan(content.length);
  expect(counts.at(-1)).toBe(content.length);
  expect(readFileSync(join(root, "to/large.bin")).equals(content)).toBe(true);
  expect(statSync(join(root, "to/large.bin")).mode & 0o7777).toBe(0o644);
});

test.each([0o644, 0o1644])("a file with mode %o that is over the limit in all stops the copy", (mode) => {
  const root = temporaryFolder({ "from/a.bin": Buffer.alloc(600_000).toString("latin1"), "from/b.bin": "b" });
  chmodSync(join(root, "from/a.bin"), mode);
  const budget = new CopyBudget({ ...SKILL_LIMITS, bytes: 500_000 });
  const options = { symlinks: "contained", readOnly: false, budget } as const;
  expect(() => [...copyTree(join(root, "from"), join(root, "to"), options)]).toThrow("more than 500000 bytes");
});
