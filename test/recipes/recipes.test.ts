import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyStep } from "./apply-step.ts";
import { type Recipe, readRecipe } from "./read-recipe.ts";

const RECIPES = globSync("test/recipes/*.md")
  .sort()
  .map((page) => ({ page, name: basename(page, ".md"), ...readRecipe(page) }));
const CONTRIBUTING = readFileSync("CONTRIBUTING.md", "utf8");

/** What the recipes change, and what their programs import. */
const COPIED = [
  "packages/skillset",
  "packages/testing",
  "apps/chat",
  "test/conformance/adapters",
  "test/read-catalog.ts",
  "scripts/packages.ts",
  "docs",
  "package.json",
  "tsconfig.base.json",
  "tsconfig.sources.json",
];
const LINKED = ["node_modules", "packages/skillset/node_modules", "packages/skillset/dist"];
const TSCONFIG = {
  extends: "./tsconfig.sources.json",
  compilerOptions: { noEmit: true },
  include: [
    "packages/skillset/src",
    "apps/chat/server",
    "apps/chat/shared",
    "test/conformance/adapters",
    "test/read-catalog.ts",
    "see",
  ],
  exclude: ["**/*.test.ts", "apps/chat/server/testing", "apps/chat/server/*.config.ts"],
};

const run = promisify(execFile);
let copy = "";
afterAll(() => rmSync(copy, { recursive: true, force: true }));

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), "skillset-recipes-")));
  const isSource = (path: string): boolean => !/\/(?:node_modules|dist|images)$|\.test\.tsx?$/.test(path);
  for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true, filter: isSource });
  for (const path of LINKED) symlinkSync(resolve(path), join(copy, path), "junction");
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(TSCONFIG));
});

describe.each(RECIPES)("$title", (recipe) => {
  test("is a recipe of CONTRIBUTING.md, with the files of its example in the same order", () => {
    const files = [...new Set(recipe.steps.map(({ file }) => file))];
    const named = filesOf(recipe);
    expect(files.map((file, index) => (named[index]?.test(file) ? file : `not ${named[index]}`))).toEqual(files);
    expect(named).toHaveLength(files.length);
  });
});

test("a member that is only in its table does not compile, and the error names its missing use", async () => {
  for (const { steps, missing } of RECIPES)
    for (const step of steps.slice(0, missing?.stepsBefore ?? 0)) applyStep(copy, step);
  const errors = await compile();
  for (const { missing, page } of RECIPES) {
    if (missing === undefined) continue;
    const found = errors.filter((line) => line.startsWith(missing.file) && line.includes(missing.message));
    expect(found, page).not.toEqual([]);
  }
});

test("with all of their steps, the recipes compile together", async () => {
  for (const { name, steps, missing, program } of RECIPES) {
    for (const step of steps.slice(missing?.stepsBefore ?? 0)) applyStep(copy, step);
    applyStep(copy, { file: `see/${name}.ts`, text: program });
  }
  expect(await compile()).toEqual([]);
});

test.concurrent.each(RECIPES)("$page has its effect", async ({ name }) => {
  await run(process.execPath, [`see/${name}.ts`], { cwd: copy });
});

/** Returns the files that a recipe of CONTRIBUTING.md names. `<name>` matches any name. */
function filesOf({ title }: Recipe): RegExp[] {
  const [, section = ""] = CONTRIBUTING.split(`\n## ${title}\n`);
  const [text = ""] = section.split("\n## ");
  const paths = [...text.matchAll(/`([\w.<>-]+\/[\w./<>-]+\.(?:ts|json|toml|md))`/g)].map(([, path]) => path as string);
  return [...new Set(paths)].map((path) => {
    const whole = path.startsWith("src/") ? `packages/skillset/${path}` : path;
    return new RegExp(`^${whole.replaceAll(".", "\\.").replaceAll("<name>", "[\\w-]+")}$`);
  });
}

/** Returns the errors of the compiler. */
async function compile(): Promise<string[]> {
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", "."], { cwd: copy }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter((line) => line !== "");
}
