import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("./check-words.ts", import.meta.url));

test("a phrase fails with file, line, phrase and what to write", () => {
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

test("files without a phrase pass", () => {
  expect(repository({ "a.md": "Plain.\n" }).check().status).toBe(0);
});

function repository(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder({ "scripts/README.md": "Scripts.\n", ...files });
  execFileSync("git", ["init", "--quiet"], { cwd });
  return { check: () => spawnSync(process.execPath, [SCRIPT], { cwd, encoding: "utf8" }) };
}
