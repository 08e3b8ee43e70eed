import { spawnSync } from "node:child_process";
import { globSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCaptured } from "../../packages/skillset/src/cli/run-captured.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// The skill that teaches coding agents to use the package must only contain names that exist.
const folder = "packages/skillset/agent-skill";
const pages = globSync(`${folder}/**/*.md`).map((path) => ({ path, text: readFileSync(path, "utf8") }));
const blocks = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code = ""]) => ({ path, language, code })),
);
const programs = blocks.filter(({ language }) => language === "ts");

test("the skill about the package is valid by the strictest rules", async () => {
  const { code, stdout, stderr } = await runCaptured(["validate", folder, "--strict"], { cwd: resolve(".") });
  expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: "1 valid skill.\n" });
});

test("every name that the skill imports from the package exists", async () => {
  const imports = programs.flatMap(({ code }) => [
    ...code.matchAll(/^import \{([^}]+)\} from "(skillset(?:\/[\w-]+)?)";$/gm),
  ]);
  expect(imports.length).toBeGreaterThan(10);
  for (const [, names = "", entry = ""] of imports) {
    const values = names.split(",").filter((name) => name.trim() !== "" && !name.trim().startsWith("type "));
    const exported = Object.keys(await import(entry));
    expect(exported, entry).toEqual(expect.arrayContaining(values.map((name) => name.trim())));
  }
});

test("every entry point and every function in the skill's tables exists", async () => {
  const rows = pages.flatMap(({ text }) => [...text.matchAll(/^\| [^|]+ \| (`skillset[^|]*) \| ([^|]+) \|$/gm)]);
  expect(rows.length).toBeGreaterThan(6);
  for (const [, entries = "", calls = ""] of rows) {
    const names = [...entries.matchAll(/`(skillset(?:\/[\w-]+)?)`/g)].map(([, entry]) => entry as string);
    const exported = (await Promise.all(names.map((entry) => import(entry)))).flatMap((module) => Object.keys(module));
    const [first] = /`([\w.]+)`/.exec(calls)?.slice(1) ?? [];
    expect(["session.turn", ...exported]).toContain(first);
  }
});

test("every program in the skill compiles", () => {
  const own = projectWith(programs.map(({ path, code }, index) => [`${basename(path, ".md")}-${index}.ts`, code]));
  const config = { extends: resolve("tsconfig.base.json"), compilerOptions: { noEmit: true }, include: ["*.ts"] };
  writeFileSync(join(own, "tsconfig.json"), JSON.stringify(config));
  expect(spawnSync(process.execPath, [realpathSync("node_modules/.bin/tsc"), "-p", own]).stdout.toString()).toBe("");
});

test("the program that tests without a language model runs", () => {
  const code = programs.find(({ path }) => path.endsWith("testing.md"))?.code ?? "throw new Error('missing');";
  const own = projectWith([["program.ts", code]]);
  const { status, stderr } = spawnSync(process.execPath, ["program.ts"], { cwd: own, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

/** Creates a folder whose programs resolve the packages of this repository. */
function projectWith(files: readonly (readonly [name: string, code: string])[]): string {
  const own = temporaryFolder({ "package.json": '{ "type": "module" }' });
  symlinkSync(resolve("node_modules"), join(own, "node_modules"), "junction");
  for (const [name, code] of files) writeFileSync(join(own, name), `${code}\nexport {};\n`);
  return own;
}

test("every command and option in the skill is in the command line's help", async () => {
  const calls = pages.flatMap(({ text }) => [...text.matchAll(/npx skillset ([a-z]+)([^`#\n]*)/g)]);
  expect(calls.length).toBeGreaterThan(20);
  for (const [line, command = "", rest = ""] of calls) {
    const { code, stdout } = await runCaptured([command, "--help"], { cwd: resolve(".") });
    expect(code, line).toBe(0);
    for (const [flag] of (rest.split(" -- ")[0] ?? "").matchAll(/--[a-z-]+/g)) {
      expect(stdout, line).toMatch(new RegExp(`^ +(?:-\\w, )?${flag}\\b`, "m"));
    }
  }
});
