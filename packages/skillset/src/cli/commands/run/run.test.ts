import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured, type World } from "../../run-captured.ts";

const FILES = {
  "skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  "skills/tea/scripts/brew.sh": 'echo "brewing $1"; echo careful >&2; echo hot > "$OUTPUT_DIR/cup.txt"\n',
  "skills/tea/scripts/echo.sh": "cat\n",
  "skills/tea/scripts/fail.sh": "exit 7\n",
  "skills/tea/scripts/slow.sh": "echo started; sleep 30\n",
  "skills/tea/scripts/clean.py": "",
  "skills/tea/scripts/clean.js": "",
  "skills/tea/scripts/control.sh": "printf 'a\\033[2Jb'\n",
  "skills/tea/references/how.md": "How.\n",
};

const PLAIN = ["--runner", "subprocess", "--yes"];

async function run(argv: readonly string[], world: Partial<World> = {}) {
  const cwd = world.cwd ?? temporaryFolder(FILES);
  return { cwd, ...(await runCaptured(["run", ...argv], { cwd, ...world })) };
}

/** The folder that stderr names. */
function keptIn(stderr: string): string {
  return /^Files in (.+):$/m.exec(stderr)?.[1] ?? "";
}

test("prints the script's output, a summary on stderr, and where its files are", async () => {
  const { code, stdout, stderr } = await run(["skills/tea", "scripts/brew.sh", ...PLAIN, "--", "green"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "brewing green\n" });
  expect(stderr).toMatch(
    /^careful\nscripts\/brew\.sh succeeded after \d+ ms \(no sandbox\)\.\nFiles in .+:\n {2}cup\.txt \(4 bytes\)\n$/,
  );
  expect(readFileSync(join(keptIn(stderr), "cup.txt"), "utf8")).toBe("hot\n");
  rmSync(keptIn(stderr), { recursive: true });
});

test.each(["scripts/echo.sh", "./scripts/echo.sh", "echo.sh", "echo"])("finds the script as %s", async (script) => {
  const { code, stdout } = await run(["skills/tea", script, ...PLAIN, "--input", '{"a": 1}']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"a":1}\n' });
});

test.each([
  [
    "brwe",
    "Skill 'tea' has no script 'brwe'. Did you mean 'scripts/brew.sh'? Its scripts: scripts/brew.sh, scripts/clean.js, ",
  ],
  ["zzzzzz", "Skill 'tea' has no script 'zzzzzz'. Its scripts: "],
  ["clean", "'clean' can be scripts/clean.js or scripts/clean.py. Write the whole path."],
  ["../tea/scripts/echo.sh", "Path traversal is not allowed."],
])("the script %s is not found, with exit code 125", async (script, sentence) => {
  const { code, stdout, stderr } = await run(["skills/tea", script, ...PLAIN]);
  expect({ code, stdout, stderr }).toEqual({ code: 125, stdout: "", stderr: expect.stringContaining(sentence) });
});

test("a file that is not a script is refused", async () => {
  const { code, stderr } = await run(["skills/tea", "references/how.md", ...PLAIN]);
  expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining("references/how.md") });
});

test("returns the script's exit code", async () => {
  const { code, stderr } = await run(["skills/tea", "fail", ...PLAIN]);
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining("failed with exit code 7") });
});

test("a time limit ends the script with exit code 124", async () => {
  const { code, stdout, stderr } = await run(["skills/tea", "slow", ...PLAIN, "--timeout", "1"]);
  expect({ code, stdout }).toEqual({ code: 124, stdout: "started\n" });
  expect(stderr).toContain("was stopped at its time limit");
});

test("Ctrl-C ends the script with exit code 130", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  const { code } = await run(["skills/tea", "slow", ...PLAIN], { signal: controller.signal });
  expect(code).toBe(130);
});

test("--json prints the whole result and nothing else", async () => {
  const { code, stdout, stderr } = await run(["skills/tea", "brew", ...PLAIN, "--json", "--", "black"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { folder, ...result } = JSON.parse(stdout);
  expect(result).toMatchObject({
    outcome: "exited",
    exitCode: 0,
    skill: "tea",
    script: "scripts/brew.sh",
    level: "subprocess",
    stdout: "brewing black\n",
    stderr: "careful\n",
    files: [{ path: "cup.txt", size: 4 }],
    droppedFiles: [],
  });
  expect(readdirSync(folder)).toEqual(["cup.txt"]);
  rmSync(folder, { recursive: true });
});

test("--output copies the files, and replaces existing ones only with --overwrite", async () => {
  const argv = ["skills/tea", "brew", ...PLAIN, "--output", "out/cups"];
  const { cwd, code, stderr } = await run(argv);
  expect({ code, folder: keptIn(stderr) }).toEqual({ code: 0, folder: "out/cups" });
  writeFileSync(join(cwd, "out/cups/cup.txt"), "mine");
  const second = await run(argv, { cwd });
  expect(second.code).toBe(125);
  expect(second.stderr).toContain("exists. Add --overwrite to replace it.");
  expect(readFileSync(join(cwd, "out/cups/cup.txt"), "utf8")).toBe("mine");
  expect(existsSync(join(keptIn(second.stderr), "cup.txt"))).toBe(true);
  rmSync(keptIn(second.stderr), { recursive: true });
  expect((await run([...argv, "--overwrite"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "out/cups/cup.txt"), "utf8")).toBe("hot\n");
});

test("--input reads stdin and files", async () => {
  const cwd = temporaryFolder({ ...FILES, "in.json": "[1]" });
  expect((await run(["skills/tea", "echo", ...PLAIN, "--input", "@in.json"], { cwd })).stdout).toBe("[1]\n");
  const piped = { cwd, answer: '{"b": 2}', isTTY: false };
  expect((await run(["skills/tea", "echo", ...PLAIN, "--input", "-"], piped)).stdout).toBe('{"b":2}\n');
});

test.each([
  [["--input", "{a: 1}"], /^The value of '--input' is not JSON: .*Quote it for your shell/],
  [["--input", "@none.json"], /^'none\.json' cannot be read \(ENOENT\)/],
  [["--input", "@skills/tea/SKILL.md"], /^'skills\/tea\/SKILL\.md' is not JSON: /],
  [["--timeout", "0"], /^'--timeout' needs a whole number/],
  [["--runner", "docker"], /^'--runner' takes auto, bubblewrap, sandbox-runtime, embedded or subprocess, not 'docker'/],
  [["--overwrite"], /^'--overwrite' needs '--output'/],
])("%j is a usage error", async (argv, sentence) => {
  const { code, stdout, stderr } = await run(["skills/tea", "echo", "--yes", ...argv]);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(sentence) });
});

test("a runner below the minimum is refused", async () => {
  const { code, stderr } = await run(["skills/tea", "echo", ...PLAIN, "--minimum", "bubblewrap"]);
  expect({ code, stderr }).toEqual({
    code: 125,
    stderr: expect.stringContaining("'subprocess' is weaker than the minimum 'bubblewrap'"),
  });
});

test("without SCRIPT, lists the scripts with their languages", async () => {
  const { code, stdout } = await run(["skills/tea", "--runner", "subprocess"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^scripts\/brew\.sh {5}shell {7}runs without a sandbox\n/);
  expect(stdout).toMatch(/^scripts\/clean\.js {4}javascript {2}runs without a sandbox$/m);
  const { stdout: json } = await run(["skills/tea", "--runner", "subprocess", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    skill: "tea",
    level: "subprocess",
    scripts: expect.arrayContaining([{ path: "scripts/echo.sh", language: "shell", canRun: true }]),
  });
});

test("a name is a skill in the standard folders, which must not be locked", async () => {
  const project = { ".agents/skills/tea/SKILL.md": skillMd("tea"), ".agents/skills/tea/scripts/a.sh": "echo a\n" };
  const locked = await run(["tea", "a", ...PLAIN], { cwd: temporaryFolder({ ...project, ".git/HEAD": "" }) });
  expect(locked).toMatchObject({ code: 125, stderr: expect.stringContaining("'tea' exists, but is locked") });
  // A folder of the same name does not replace it.
  const both = temporaryFolder({ ...project, ".git/HEAD": "", "tea/SKILL.md": skillMd("tea"), "tea/scripts/a.sh": "" });
  expect(await run(["tea", "a", ...PLAIN], { cwd: both })).toMatchObject({ code: 125 });
  expect(await run(["./tea", "a", ...PLAIN], { cwd: both })).toMatchObject({ code: 0 });
  const home = temporaryFolder(project);
  expect(await run(["tea", "a", ...PLAIN], { home })).toMatchObject({ code: 0, stdout: "a\n" });
});

test.each([
  ["nothing", "Unknown skill 'nothing'"],
  ["./nothing", "nothing"],
  ["skills", "Unknown skill 'skills'"],
  ["./more", "'./more' has several skills (a, b). Name the folder of one of them."],
  ["./broken", "'./broken' has no skill that can be used. 'broken' exists, but is invalid: "],
])("the skill %s is not found, with exit code 125", async (skill, sentence) => {
  const more = { "more/a/SKILL.md": skillMd("a"), "more/b/SKILL.md": skillMd("b"), "broken/SKILL.md": "nothing\n" };
  const { code, stderr } = await run([skill, "a", ...PLAIN], { cwd: temporaryFolder({ ...FILES, ...more }) });
  expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining(sentence) });
});

test("control characters do not reach a terminal", async () => {
  const { stdout } = await run(["skills/tea", "control", ...PLAIN], { isTTY: true });
  expect(stdout).not.toContain("\u001b[2J");
});

test("a profile can disable scripts and skills", async () => {
  const profiles = { quiet: { scripts: "off" }, empty: { disabled: ["tea"] } };
  const cwd = temporaryFolder({ ...FILES, "skillset.json": JSON.stringify({ profiles, defaultProfile: "quiet" }) });
  const quiet = await run(["skills/tea", "brew", ...PLAIN], { cwd });
  const reason = "Scripts are disabled by a profile in skillset.json.\n";
  expect(quiet).toMatchObject({ code: 125, stdout: "", stderr: reason });
  const empty = await run(["skills/tea", "brew", ...PLAIN, "--profile", "empty"], { cwd });
  expect(empty).toMatchObject({ code: 125, stderr: expect.stringContaining("disabled by the profile 'empty'") });
});
