import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { setActionVersion } from "../../scripts/release-action.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly [{ shell: string; run: string; env: Readonly<Record<string, string>> }];
  };
}

const action = parse(readFileSync("actions/validate/action.yml", "utf8")) as Action;
const [step] = action.runs.steps;
const { version: VERSION } = JSON.parse(readFileSync("packages/skillset/package.json", "utf8")) as { version: string };
const SKILLSET = resolve("packages/skillset/bin/skillset.js");

/** Runs the action's step as GitHub does, with an npx that starts the built command line and records its arguments. */
function run(files: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder({ ...files, "bin/npx": NPX, "output.txt": "" });
  chmodSync(join(cwd, "bin/npx"), 0o755);
  const value = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? "";
  const env = Object.entries(step.env).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, input: string) => value(input)),
  ]);
  writeFileSync(join(cwd, "step.sh"), step.run);
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "step.sh"], {
    cwd,
    encoding: "utf8",
    env: {
      ...Object.fromEntries(env),
      PATH: [join(cwd, "bin"), join(process.execPath, ".."), process.env.PATH].join(delimiter),
      GITHUB_OUTPUT: join(cwd, "output.txt"),
      GITHUB_WORKSPACE: cwd,
      GITHUB_ACTIONS: "true",
    },
  });
  const read = (path: string) => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), "utf8") : "");
  return { code: status, stdout, stderr, calls: read("calls.txt").trim().split("\n"), read };
}

const NPX = `#!/usr/bin/env bash
printf '%s|' "$@" >> calls.txt; echo >> calls.txt
while [ "$1" != skillset ]; do shift; done
shift
exec node ${SKILLSET} "$@"
`;

const GOOD = { "skills/a/SKILL.md": skillMd("a") };
const BROKEN = { "skills/b/SKILL.md": "---\nname: b\n---\nText.\n" };

describe("the GitHub Action", () => {
  test("is a composite action whose inputs all reach its one step, and never as script text", () => {
    expect(action.runs.using).toBe("composite");
    expect(action.runs.steps).toHaveLength(1);
    expect(step.shell).toBe("bash");
    expect(step.run).not.toContain("${{");
    expect(Object.values(step.env).sort()).toEqual(
      Object.keys(action.inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .sort(),
    );
  });

  test("runs its own version of skillset by default, and a release raises it", () => {
    expect(action.inputs.version?.default).toBe(VERSION);
    const raised = parse(setActionVersion(readFileSync("actions/validate/action.yml", "utf8"), "9.8.7")) as Action;
    const version = { ...action.inputs.version, default: "9.8.7" };
    expect(raised).toEqual({ ...action, inputs: { ...action.inputs, version } });
  });

  test("documents each input in its README", () => {
    const readme = readFileSync("actions/validate/README.md", "utf8");
    for (const [name, { description }] of Object.entries(action.inputs)) {
      expect(readme).toContain(`| \`${name}\` |`);
      expect(description).toMatch(/\.$/);
    }
  });

  test("passes for valid skills, with the package of the action's own version", () => {
    const { code, stdout, stderr, calls } = run(GOOD);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("1 valid skill.\n");
    expect(calls).toEqual([`--yes|--package=skillset@${VERSION}|--|skillset|validate|--format=github|--|.|`]);
  });

  test("fails with annotations for a broken skill, even deep in a folder", () => {
    const { code, stdout } = run({ ...GOOD, "x/y/b/SKILL.md": BROKEN["skills/b/SKILL.md"] });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=x\/y\/b\/SKILL\.md,line=2,col=1,title=description-missing::/m);
  });

  test("passes its inputs to the command", () => {
    const warned = { "two words/a/SKILL.md": skillMd("a", undefined, "[x](y.md)") };
    const { code, stdout, calls } = run(
      { ...warned, ...GOOD },
      {
        path: "two words\nskills\n",
        strict: "true",
        ignore: "no such folder\nfixtures\n",
        "max-warnings": "0",
        format: "text",
        package: "./skillset-0.1.0.tgz",
      },
    );
    expect(code).toBe(1);
    expect(stdout).toContain("two words/a/SKILL.md:6:3: warning:");
    expect(calls).toEqual([
      "--yes|--package=./skillset-0.1.0.tgz|--|skillset|validate|--format=text|--strict|--max-warnings=0|--ignore=no such folder|--ignore=fixtures|--|two words|skills|",
    ]);
  });

  test("writes a SARIF file, sets it as an output, and still fails for an error", () => {
    const { code, read } = run({ ...GOOD, ...BROKEN }, { "sarif-file": "skills.sarif" });
    expect(code).toBe(1);
    expect(JSON.parse(read("skills.sarif")).runs[0].results[0].ruleId).toBe("description-missing");
    expect(read("output.txt")).toBe("sarif-file=skills.sarif\n");
  });

  test("treats no input as a command or an option", () => {
    const hostile = "$(touch owned)`touch owned`; touch owned\n--json";
    const { code, read, calls } = run(GOOD, {
      path: hostile,
      "max-warnings": "0; touch owned",
      version: "1; touch owned",
    });
    expect(code).toBe(2);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain("|--|$(touch owned)`touch owned`; touch owned|--json|");
    expect(read("owned")).toBe("");
  });

  test("fails if it finds no skill, or if skillset.json is invalid", () => {
    expect(run({ "README.md": "" }).code).toBe(1);
    const { code, stderr, read } = run({ ...GOOD, "skillset.json": "{" }, { "sarif-file": "x.sarif" });
    expect(code).toBe(2);
    expect(stderr).toContain("skillset.json:1:2: Invalid JSON");
    expect(read("output.txt")).toBe("");
  });
});
