import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../test/temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("./check-words.ts", import.meta.url));

test("a phrase that is not in the list fails with file, line, phrase and what to write", () => {
  const { check } = repository({ "docs/a.md": "Plain.\n\nIt mends the file.\n", "src/a.ts": "// Returns it.\n" });
  const { status, stderr } = check();
  expect(status).toBe(1);
  expect(stderr).toContain("docs/a.md:3: 'mends': write fix, repair");
  expect(stderr).not.toContain("src/a.ts");
});

test("a phrase is found across the lines of a comment", () => {
  const { check } = repository({ "a.ts": "/**\n * A process of its\n * own.\n */\n// What became\n// of it.\n" });
  const { stderr } = check();
  expect(stderr).toContain("a.ts:2: 'of its * own'");
  expect(stderr).toContain("a.ts:5: 'What became // of'");
});

test("a list with the counts of now allows them: one more fails, and one fewer fails until the list is shrunk", () => {
  const { check, write, list } = repository({ "a.md": "On offer. On offer.\n", "b.md": "Plain.\n" });
  expect(check("--accept").status).toBe(0);
  expect(list()).toEqual({ "a.md": 2 });
  expect(check().status).toBe(0);

  write({ "b.md": "On offer.\n" });
  expect(check("--shrink").status).toBe(1);
  expect(list()).toEqual({ "a.md": 2 });

  write({ "a.md": "On offer.\n", "b.md": "Plain.\n" });
  expect(check().stderr).toContain(`a.md contains 1 phrases, and scripts/words-left.json still allows 2`);
  expect(check("--shrink").status).toBe(0);
  expect(list()).toEqual({ "a.md": 1 });
  expect(check().status).toBe(0);
});

test("a file in the list that was deleted fails until the list is shrunk", () => {
  const { check, list } = repository({ "scripts/words-left.json": '{ "gone.md": 1 }\n' });
  expect(check().stderr).toContain("gone.md");
  expect(check("--shrink").status).toBe(0);
  expect(list()).toEqual({});
});

function repository(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder({ "scripts/README.md": "Scripts.\n", ...files });
  execFileSync("git", ["init", "--quiet"], { cwd });
  const list = join(cwd, "scripts/words-left.json");
  return {
    check: (...flags: string[]) => spawnSync(process.execPath, [SCRIPT, ...flags], { cwd, encoding: "utf8" }),
    write: (more: Readonly<Record<string, string>>) => writeFiles(cwd, more),
    list: () => (existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : undefined),
  };
}
