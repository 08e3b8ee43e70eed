import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const [{ files }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "-w", "packages/skillset"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  }),
) as [{ files: readonly { readonly path: string }[] }];
const paths = files.map(({ path }) => path);

test("the package contains the files that its users read and run", () => {
  const wanted = ["README.md", "LICENSE", "bin/skillset.js", "dist/index.js", "dist/index.d.ts"];
  const skills = ["skills/code-review/SKILL.md", "agent-skill/skillset/SKILL.md"];
  expect(paths).toEqual(expect.arrayContaining([...wanted, ...skills]));
});

test("the package contains no source maps, sources or tests", () => {
  expect(paths.filter((path) => /\.map$|^src\/|\.test\.|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  const built = globSync("packages/skillset/dist/**/*.js");
  expect(built.filter((file) => readFileSync(file, "utf8").includes("sourceMappingURL"))).toEqual([]);
});

test("the skill about the package is not among the bundled skills", () => {
  expect(paths.filter((path) => /^skills\/skillset\//.test(path))).toEqual([]);
});
