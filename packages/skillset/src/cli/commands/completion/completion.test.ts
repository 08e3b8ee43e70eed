import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { CATALOG_FORMATS } from "../../../core/catalog/catalog-format.ts";
import { GLOBAL_OPTIONS, type OptionSpecs } from "../../command-line/command.ts";
import { runCaptured } from "../../run-captured.ts";
import { COMMANDS } from "../all.ts";

const FILES = {
  ".git/HEAD": "",
  "home/.agents/skills/pdf-forms/SKILL.md": skillMd("pdf-forms"),
  "home/.agents/skills/pdf-forms/references/fields.md": "Fields.",
  "skills/charts/SKILL.md": skillMd("charts"),
  "skills/charts/scripts/draw.py": "",
  "notes.txt": "",
};

/** The candidates for the last word of a command line, and the paths that the shell adds. */
async function complete(...words: string[]) {
  const cwd = temporaryFolder(FILES);
  const { code, stdout, stderr } = await runCaptured(["__complete", ...words], { cwd, home: join(cwd, "home") });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  return { values: lines.slice(0, -1).map((line) => line.split("\t")[0]), paths: lines.at(-1) };
}

describe("candidates", () => {
  test("are the commands and their aliases", async () => {
    const names = Object.entries(COMMANDS).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
    expect(await complete("")).toEqual({ values: names, paths: ":none" });
    expect((await complete("l")).values).toEqual(["list", "ls"]);
    expect((await complete("--")).values).toEqual(["--help", "--no-color", "--version"]);
    expect((await complete("help", "exit")).values).toEqual(["exit-codes"]);
  });

  test.each(Object.keys(COMMANDS))("are all options of %s, and the choices of each", async (name) => {
    const options: OptionSpecs = { ...(await COMMANDS[name]?.load())?.options, ...GLOBAL_OPTIONS };
    expect((await complete(name, "--")).values).toEqual(Object.keys(options).map((option) => `--${option}`));
    for (const [option, { choices }] of Object.entries(options)) {
      if (choices === undefined) continue;
      expect((await complete(name, `--${option}`, "")).values).toEqual(choices);
      expect((await complete(name, `--${option}=`)).values).toEqual(choices.map((choice) => `--${option}=${choice}`));
      // bash splits at the equals sign.
      expect((await complete(name, `--${option}`, "=")).values).toEqual(choices);
      const [choice = ""] = choices;
      expect((await complete(name, `--${option}`, "=", choice)).values).toContain(choice);
    }
  });

  test("are skills, folders and the scripts of a skill for run", async () => {
    expect(await complete("run", "")).toEqual({ values: ["pdf-forms"], paths: ":folders" });
    expect(await complete("run", "./sk")).toEqual({ values: [], paths: ":folders" });
    expect((await complete("run", "skills/charts", "")).values).toEqual(["scripts/draw.py"]);
    expect((await complete("run", "pdf-forms", "")).values).toEqual([]);
    expect(await complete("run", "skills/charts", "draw", "--", "")).toEqual({ values: [], paths: ":files" });
  });

  test("leave out options that were given, unless they are repeatable", async () => {
    const { values } = await complete("list", "--json", "--enable", "a", "--");
    expect(values).not.toContain("--json");
    expect(values).toContain("--enable");
  });

  test("are skill names from the paths that are typed, or from the standard folders", async () => {
    expect((await complete("show", "")).values).toEqual(["pdf-forms"]);
    expect((await complete("list", "skills", "--enable", "")).values).toEqual(["charts"]);
    expect((await complete("show", "--bundled", "code")).values).toEqual(["code-review"]);
    expect((await complete("list", "nowhere", "--enable", "")).values).toEqual([]);
  });

  test("are the files of the skill that is typed", async () => {
    expect((await complete("show", "pdf-forms", "--file", "ref")).values).toEqual(["references/fields.md"]);
  });

  test("are left to the shell for paths", async () => {
    expect(await complete("validate", "")).toEqual({ values: [], paths: ":files" });
    expect(await complete("show", "pdf-forms", "")).toEqual({ values: [], paths: ":files" });
    expect(await complete("new", "x", "--dir", "")).toEqual({ values: [], paths: ":folders" });
    expect(await complete("trust", "")).toEqual({ values: [], paths: ":folders" });
    expect(await complete("exec", "--agent", "codex", "--", "sh", "-")).toEqual({ values: [], paths: ":files" });
    expect(await complete("list", "--max-skills", "")).toEqual({ values: [], paths: ":none" });
    expect(await complete("no-such-command", "")).toEqual({ values: [], paths: ":none" });
    expect((await complete("serve", "--http", "--w")).values).toEqual(["--watch"]);
  });

  test("leave out skill names that a shell could run", async () => {
    const cwd = temporaryFolder({ "s/$(touch x)/SKILL.md": "---\nname: $(touch x)\ndescription: A.\n---\n" });
    const { stdout } = await runCaptured(["__complete", "list", "s", "--enable", ""], { cwd });
    expect(stdout).toBe(":none\n");
  });
});

test.each(["bash", "zsh", "fish"])("the help explains how to install the script for %s", async (shell) => {
  const { stdout } = await runCaptured(["completion", "--help"], { cwd: "/" });
  expect(stdout).toContain(`skillset completion ${shell}`);
  expect((await runCaptured(["completion", shell], { cwd: "/" })).stdout).toContain("skillset __complete");
});

const PROGRAM = fileURLToPath(new URL("../../../../bin/skillset.js", import.meta.url));

/** Runs a shell that loads the script; `skillset` on its PATH is the built command line. */
function inShell(shell: string, args: readonly string[], program: (script: string) => string): string[] {
  const cwd = temporaryFolder({ ...FILES, "bin/x": "" });
  symlinkSync(PROGRAM, join(cwd, "bin/skillset"));
  symlinkSync(process.execPath, join(cwd, "bin/node"));
  const script = join(cwd, `skillset.${shell}`);
  const env = { ...process.env, PATH: `${join(cwd, "bin")}${delimiter}${process.env.PATH}`, HOME: join(cwd, "home") };
  writeFileSync(script, spawnSync(process.execPath, [PROGRAM, "completion", shell], { encoding: "utf8" }).stdout);
  const { stdout, stderr } = spawnSync(shell, [...args, program(script)], { cwd, env, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const LINES: readonly (readonly [line: string, last: string, expected: readonly string[]])[] = [
  ["skillset va", "va", ["validate"]],
  ["skillset prompt --format ", "", CATALOG_FORMATS],
  ["skillset prompt --for", "--for", ["--format"]],
  ["skillset show p", "p", ["pdf-forms"]],
  ["skillset validate no", "no", ["notes.txt"]],
  ["skillset new x --dir sk", "sk", ["skills"]],
  ["skillset list --max-skills ", "", []],
];

describe.skipIf(!isInstalled("bash"))("bash (install it with your package manager to run these tests)", () => {
  test.each(LINES)("completes '%s'", (line, last, expected) => {
    const words = [...line.split(" ").slice(0, -1), last].map((word) => `'${word}'`).join(" ");
    const program = (script: string) =>
      `source '${script}'; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _skillset; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(inShell("bash", ["--norc", "-c"], program)).toEqual(expected);
  });

  test("splits --format=x as bash does", () => {
    const program = (script: string) =>
      `source '${script}'; COMP_WORDS=(skillset prompt --format = j); COMP_CWORD=4; _skillset; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(inShell("bash", ["--norc", "-c"], program)).toEqual(["json"]);
  });

  test("registers the completion of skillset", () => {
    const program = (script: string) => `source '${script}'; complete -p skillset`;
    expect(inShell("bash", ["--norc", "-c"], program)).toEqual(["complete -o default -F _skillset skillset"]);
  });
});

describe.skipIf(!isInstalled("fish"))("fish (install it with your package manager to run these tests)", () => {
  test.each(LINES)("completes '%s'", (line, _last, expected) => {
    const program = (script: string) => `source '${script}'; complete -C '${line}'`;
    const values = inShell("fish", ["--no-config", "-c"], program).map((row) => row.split("\t")[0]?.replace(/\/$/, ""));
    expect(values.toSorted()).toEqual(expected.toSorted());
  });
});

describe.skipIf(!isInstalled("zsh"))("zsh (install it with your package manager to run these tests)", () => {
  test.each(LINES)("completes '%s'", (line, last, expected) => {
    // The completion functions are replaced by ones that print: a real completion needs an interactive shell.
    const words = [...line.split(" ").slice(0, -1), last].map((word) => `'${word}'`).join(" ");
    const program = (script: string) =>
      `compdef() { : }; _describe() { print -l -- "\${(@)\${(P)2}%%:*}" }; _files() { print -l -- \${words[CURRENT]}*(N\${1:+/}) }; ` +
      `source '${script}'; words=(${words}); CURRENT=\${#words}; _skillset`;
    expect(inShell("zsh", ["-f", "-c"], program)).toEqual(expected);
  });
});
