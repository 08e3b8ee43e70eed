import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { type CreateSkillsetOptions, createSkillset } from "../load/create-skillset.ts";
import type { SkillInput } from "../load/sources.ts";

const quiet = { onProblem: ignoreProblem };

/** A skill with these lines below `metadata:`. */
function requiring(name: string, lines: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\nmetadata:\n${lines.replace(/^/gm, "  ")}\n---\nDo it.\n`;
}

async function load(lines: string, options: CreateSkillsetOptions = {}) {
  const folder = temporaryFolder({ "a/SKILL.md": requiring("a", lines) });
  return createSkillset(folder, { ...quiet, ...options });
}

/** The reasons why the skill is hidden; empty if it is enabled. */
async function reasons(lines: string, options?: CreateSkillsetOptions): Promise<readonly string[]> {
  const [entry] = (await load(lines, options)).entries;
  return entry?.status === "unavailable" ? entry.unmet.map(({ reason }) => reason) : [];
}

/** A folder that is the whole PATH during the test, with programs that write down that they ran. */
function usePath(programs: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(programs);
  for (const name of Object.keys(programs)) chmodSync(join(folder, name), 0o755);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  return folder;
}

/** A python3 that answers with this version and these folders, and counts how often it ran. */
function fakePython(version: string, folders: readonly string[] = []): string {
  return `#!/bin/sh\necho run >> "$0.log"\necho '${JSON.stringify([version, folders])}'\n`;
}

function runs(path: string): number {
  return readFileSync(`${path}.log`, "utf8").split("\n").length - 1;
}

describe("a skill is hidden, with the reason and a fix, if", () => {
  test("a command that it requires is not on PATH", async () => {
    const { entries, skills, problems } = await load('requires: "sh, no-such-program-x"');
    expect(skills).toEqual([]);
    expect(entries).toMatchObject([
      { name: "a", status: "unavailable", reason: "the command 'no-such-program-x' is not on PATH" },
    ]);
    expect(problems).toMatchObject([
      {
        code: "requirement-unmet",
        severity: "warning",
        skill: "a",
        message: "'a' is unavailable: the command 'no-such-program-x' is not on PATH.",
        fix: "Install 'no-such-program-x', and check that it is on PATH. If it is a skill, write it under 'requires-skills'.",
      },
    ]);
    expect(await reasons("requires: sh")).toEqual([]);
  });

  test("but a required name that is a skill beside it is no missing command", async () => {
    const folder = temporaryFolder({
      "a/SKILL.md": requiring("a", "requires: no-such-program-x"),
      "no-such-program-x/SKILL.md": requiring("no-such-program-x", 'author: "me"'),
    });
    expect((await createSkillset(folder, quiet)).names).toEqual(["a", "no-such-program-x"]);
  });

  test("it is made for another system", async () => {
    const [own, other] = process.platform === "darwin" ? ["macos", "linux"] : ["linux", "macos"];
    expect(await reasons(`os: ${own}`)).toEqual([]);
    expect(await reasons(`os: "windows, ${own}"`)).toEqual([]);
    expect(await reasons(`os: "${other} windows"`)).toEqual([`it requires ${other} or windows, and this is ${own}`]);
  });

  test("this Node is outside the range", async () => {
    expect(await reasons('node: ">=20"')).toEqual([]);
    expect(await reasons('node: "^4"')).toEqual([`it requires Node ^4, and this is ${process.versions.node}`]);
  });

  test("python3 is outside the range, missing or broken", async () => {
    usePath({ python3: fakePython("3.12.4") });
    expect(await reasons('python: ">=3.10,<4"')).toEqual([]);
    expect(await reasons('python: ">=3.13"')).toEqual(["it requires Python >=3.13, and python3 is 3.12.4"]);
    usePath({ python3: "#!/bin/sh\nexit 3\n" });
    expect(await reasons('python: ">=3.10"')).toEqual(["it requires Python >=3.10, and python3 cannot be run"]);
    vi.stubEnv("PATH", temporaryFolder());
    expect(await reasons('python: ">=3.10"')).toEqual(["it requires Python >=3.10, and python3 is not on PATH"]);
  });

  test("python3 does not answer, even if a program that it started does not end", async () => {
    usePath({ python3: "#!/bin/sh\nsleep 20\n" });
    expect(await reasons('python: ">=3.10"')).toEqual([
      "it requires Python >=3.10, and python3 did not answer within 5 seconds",
    ]);
  });

  test("its folder has a pipe or a device instead of a package", async () => {
    const folder = temporaryFolder({
      "a/SKILL.md": requiring("a", "packages: npm:zero npm:pipe npm:text"),
      "a/node_modules/zero/x": "",
      "a/node_modules/pipe/x": "",
      "a/node_modules/text/package.json": "no JSON",
    });
    symlinkSync("/dev/zero", join(folder, "a/node_modules/zero/package.json"));
    execFileSync("mkfifo", [join(folder, "a/node_modules/pipe/package.json")]);
    const [entry] = (await createSkillset(folder, quiet)).entries;
    expect(entry).toMatchObject({
      reason: "the npm package 'zero' is not installed; the npm package 'pipe' is not installed",
    });
  });

  test("a package is not installed, or is too old", async () => {
    const site = temporaryFolder({
      "numpy-1.26.4.dist-info/METADATA": "",
      "PyYAML-6.0.dist-info/METADATA": "",
      "yaml/__init__.py": "",
      "six.py": "",
    });
    usePath({ python3: fakePython("3.12.4", [site, "/nowhere"]) });
    expect(await reasons('packages: "pip:numpy, pyyaml yaml six pip:NumPy>=1.26"')).toEqual([]);
    expect(await reasons('packages: "pip:numpy>=2, torch"')).toEqual([
      "it requires numpy>=2, and 1.26.4 is installed",
      "the Python package 'torch' is not installed",
    ]);
    const root = temporaryFolder({
      "node_modules/@scope/b/package.json": '{"version":"1.2.3"}',
      "skills/a/SKILL.md": requiring("a", "packages: npm:@scope/b>=1 npm:c"),
      "skills/b/SKILL.md": requiring("b", "packages: npm:@scope/b^1.2"),
    });
    const { entries } = await createSkillset(join(root, "skills"), { ...quiet, cwd: root });
    expect(entries.map(({ status }) => status)).toEqual(["unavailable", "enabled"]);
    expect(entries[0]).toMatchObject({
      reason: "the npm package 'c' is not installed",
      unmet: [{ kind: "package", name: "c", fix: 'Install it, for example with: npm install "c"' }],
    });
  });

  test("the host does not supply a variable", async () => {
    vi.stubEnv("SET_HERE", "1");
    vi.stubEnv("EMPTY_HERE", "");
    expect(await reasons("env: SET_HERE, EMPTY_HERE NOT_HERE")).toEqual([
      "the variable 'EMPTY_HERE' is not set",
      "the variable 'NOT_HERE' is not set",
    ]);
    expect(await reasons("env: NOT_HERE", { env: ["NOT_HERE"] })).toEqual([]);
    expect(await reasons("env: SET_HERE", { env: [] })).toEqual(["the variable 'SET_HERE' is not set"]);
    expect(await reasons("env: A_B, C", { env: (name) => name === "C" })).toEqual(["the variable 'A_B' is not set"]);
  });
});

describe("a skill that requires other skills", () => {
  const bare = (name: string, metadata: Record<string, string> = {}): SkillInput =>
    defineSkill({ name, description: `Does ${name}.`, body: "Do it.", metadata });
  const needs = (name: string, others: string): SkillInput => bare(name, { "requires-skills": others });
  const reasonsOf = async (inputs: readonly SkillInput[], options: CreateSkillsetOptions = {}) => {
    const { entries } = await createSkillset(inputs, { ...quiet, ...options });
    return Object.fromEntries(
      entries.map((entry) => [entry.name, entry.status === "enabled" ? "enabled" : entry.reason]),
    );
  };

  test("is hidden if one is missing or not enabled, and so is what requires it", async () => {
    expect(await reasonsOf([needs("a", "b, c"), bare("b"), needs("d", "a"), needs("e", "d")])).toEqual({
      a: "it requires the skill 'c', which is missing",
      b: "enabled",
      d: "it requires the skill 'a', which is unavailable",
      e: "it requires the skill 'd', which is unavailable",
    });
    expect(await reasonsOf([needs("a", "b"), bare("b")], { disabled: ["b"] })).toEqual({
      a: "it requires the skill 'b', which is disabled",
      b: "disabled",
    });
    expect(await reasonsOf([needs("a", "b"), bare("b", { env: "NOT_HERE" })])).toMatchObject({
      a: "it requires the skill 'b', which is unavailable",
    });
  });

  test("is hidden in a cycle, whose skills are named", async () => {
    const cycle = [needs("a", "b"), needs("b", "c"), needs("c", "a"), needs("d", "c"), needs("e", "e"), bare("f")];
    expect(await reasonsOf(cycle)).toEqual({
      a: "it requires itself: a → b → c → a",
      b: "it requires itself: b → c → a → b",
      c: "it requires itself: c → a → b → c",
      d: "it requires the skill 'c', which is unavailable",
      e: "it requires itself: e → e",
      f: "enabled",
    });
  });

  test("is hidden when a filter leaves the other one out", async () => {
    const skillset = await createSkillset([needs("a", "b"), bare("b"), bare("c")], quiet);
    expect(skillset.names).toEqual(["a", "b", "c"]);
    expect(skillset.filter({ disabled: ["b"] }).names).toEqual(["c"]);
  });

  test("finds them in another source", async () => {
    const inner = await createSkillset([needs("a", "b")], quiet);
    expect(inner.names).toEqual([]);
    const outer = await createSkillset([inner, bare("b")], quiet);
    expect(outer.names).toEqual(["a", "b"]);
    expect(outer.problems).toEqual([]);
  });

  test("may be the start of a chain of 5,000", async () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => needs(`s-${index}`, `s-${index + 1}`));
    expect((await createSkillset(chain, quiet)).size).toBe(0);
    expect((await createSkillset([...chain, bare("s-5000")], quiet)).size).toBe(5_001);
  });
});

describe("requirements", () => {
  test("do not keep a hidden skill from shadowing others", async () => {
    const root = temporaryFolder({
      "near/a/SKILL.md": requiring("a", "env: NOT_HERE"),
      "far/a/SKILL.md": requiring("a", "author: Ada"),
    });
    const { names, entries } = await createSkillset([join(root, "near"), join(root, "far")], quiet);
    expect(names).toEqual([]);
    expect(entries.map(({ status }) => status)).toEqual(["unavailable", "shadowed"]);
  });

  test("are checked again on a reload", async () => {
    const folder = usePath({});
    const skillset = await load("requires: later-x");
    expect(skillset.size).toBe(0);
    writeFiles(folder, { "later-x": "" });
    expect((await skillset.reload()).skillset.size).toBe(0);
    chmodSync(join(folder, "later-x"), 0o755);
    const { changes } = await skillset.reload();
    expect(changes.added).toEqual(["a"]);
  });

  test("run python3 once per process, and again when its file changes", async () => {
    const python = join(usePath({ python3: fakePython("3.9.1") }), "python3");
    expect(await reasons('python: ">=3.10"')).toHaveLength(1);
    expect(await reasons('python: ">=3.9"\npackages: numpy')).toHaveLength(1);
    expect(runs(python)).toBe(1);
    writeFileSync(python, fakePython("3.11.0"));
    utimesSync(python, 1, 1);
    expect(await reasons('python: ">=3.10"')).toEqual([]);
    expect(runs(python)).toBe(2);
  });

  test("never run a command that a skill names, nor a Python of the working directory", async () => {
    const folder = usePath({ tool: '#!/bin/sh\necho run >> "$0.log"\n', python3: fakePython("3.12.0") });
    const project = temporaryFolder({ python3: '#!/bin/sh\necho run >> "$0.log"\n', "json.py": "1/0" });
    chmodSync(join(project, "python3"), 0o755);
    vi.stubEnv("PATH", `.:${folder}`);
    expect(await reasons('requires: tool\npython: ">=3"', { cwd: project })).toEqual([]);
    expect(() => runs(join(folder, "tool"))).toThrow("ENOENT");
    expect(() => runs(join(project, "python3"))).toThrow("ENOENT");
  });

  test("are ignored on request", async () => {
    const skillset = await load('env: NOT_HERE\nrequires-skills: "b"', { requirements: false });
    expect(skillset.names).toEqual(["a"]);
    expect(skillset.filter({ maxSkills: 1 }).names).toEqual(["a"]);
    expect(skillset.problems).toEqual([]);
  });

  test("of skills in code are checked too", async () => {
    const skill = defineSkill({
      name: "a",
      description: "Does a.",
      body: "Do it.",
      metadata: { requires: "no-such-program-x" },
    });
    expect((await createSkillset(skill, quiet)).entries[0]).toMatchObject({ status: "unavailable" });
  });

  test("name at most 2,000 commands and packages in one load", async () => {
    vi.stubEnv("PATH", temporaryFolder());
    const skills = Array.from({ length: 70 }, (_, skill) =>
      defineSkill({
        name: `s-${skill}`,
        description: "Does it.",
        body: "Do it.",
        metadata: { requires: Array.from({ length: 32 }, (_, index) => `c-${skill}-${index}`).join(" ") },
      }),
    );
    const { entries } = await createSkillset(skills, quiet);
    expect(entries.every(({ status }) => status === "unavailable")).toBe(true);
    expect(entries.at(-1)).toMatchObject({ reason: expect.stringContaining("more than 2000 different commands") });
  });
});
