import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import { runCaptured } from "../../run-captured.ts";

function setUp() {
  const cwd = temporaryFolder({
    "skills/charts/SKILL.md": skillMd("charts"),
    "skills/charts/style.md": "Label both axes.",
    "skills/notes/SKILL.md": skillMd("notes"),
    "home/.keep": "",
  });
  const run = (...argv: string[]) => runCaptured(["install", ...argv], { cwd, home: join(cwd, "home") });
  return { cwd, run };
}

describe("skillset install", () => {
  test.each([
    ["claude", ".claude/skills", ".claude/skills"],
    ["codex", ".agents/skills", ".agents/skills"],
    ["gemini", ".gemini/skills", ".gemini/skills"],
    ["opencode", ".opencode/skills", ".claude/skills"],
    ["pi", ".agents/skills", ".agents/skills"],
  ])("puts skills where %s looks: %s in a project, %s in the home", async (agent, inProject, inHome) => {
    const { cwd, run } = setUp();
    expect(await run("--agent", agent, "skills")).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(cwd, inProject)).sort()).toEqual(["charts", "notes"]);
    await run("--agent", agent, "skills/charts", "--to", "~");
    expect(readdirSync(join(cwd, "home", inHome, "charts")).sort()).toEqual(["SKILL.md", "style.md"]);
    await run("--agent", agent, "skills/charts", "--to", "other");
    expect(existsSync(join(cwd, "other", inProject, "charts/style.md"))).toBe(true);
  });

  test.each([
    ["cursor", ".cursor/skills"],
    ["vscode", ".github/skills"],
  ])("puts skills where %s looks in a project: %s", async (agent, inProject) => {
    const { cwd, run } = setUp();
    expect(await run("--agent", agent, "skills")).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(cwd, inProject)).sort()).toEqual(["charts", "notes"]);
  });

  test("lists what it copied where, and the copies are writable", async () => {
    const { cwd, run } = setUp();
    const { stdout } = await run("--agent", "claude", "skills");
    expect(stdout).toBe(
      "  charts  skills/charts -> .claude/skills/charts\n" +
        "  notes   skills/notes -> .claude/skills/notes\n" +
        "Installed 2 skills for claude in .claude/skills.\n",
    );
    expect(lstatSync(join(cwd, ".claude/skills/charts/style.md")).mode & 0o200).toBe(0o200);
  });

  test("overwrites only with --force", async () => {
    const { cwd, run } = setUp();
    writeFiles(cwd, { ".claude/skills/charts/SKILL.md": "mine" });
    const refused = await run("--agent", "claude", "skills");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toBe(
      "'charts' is in '.claude/skills' already; nothing was installed. Use --force to replace existing skills.\n",
    );
    expect(readdirSync(join(cwd, ".claude/skills"))).toEqual(["charts"]);
    expect(readFileSync(join(cwd, ".claude/skills/charts/SKILL.md"), "utf8")).toBe("mine");
    const forced = await run("--agent", "claude", "skills", "--force");
    expect(forced.stdout).toContain("charts  skills/charts -> .claude/skills/charts  (replaced)\n");
    expect(readFileSync(join(cwd, ".claude/skills/charts/SKILL.md"), "utf8")).toBe(skillMd("charts"));
    expect(readdirSync(join(cwd, ".claude"))).toEqual(["skills"]);
  });

  test("replaces a link, and keeps its target", async () => {
    const { cwd, run } = setUp();
    mkdirSync(join(cwd, ".claude/skills"), { recursive: true });
    symlinkSync("../../skills/notes", join(cwd, ".claude/skills/charts"));
    await run("--agent", "claude", "skills/charts", "--force");
    expect(lstatSync(join(cwd, ".claude/skills/charts")).isDirectory()).toBe(true);
    expect(readFileSync(join(cwd, "skills/notes/SKILL.md"), "utf8")).toBe(skillMd("notes"));
  });

  test("changes nothing with --dry-run, and prints JSON with --json", async () => {
    const { cwd, run } = setUp();
    expect((await run("--agent", "codex", "skills", "--dry-run")).stdout).toContain("Would install 2 skills for codex");
    expect(existsSync(join(cwd, ".agents"))).toBe(false);
    const { stdout } = await run("--agent", "codex", "skills/charts", "--json");
    expect(JSON.parse(stdout)).toEqual({
      agent: "codex",
      folder: join(cwd, ".agents/skills"),
      dryRun: false,
      skills: [
        {
          name: "charts",
          path: join(cwd, ".agents/skills/charts"),
          from: join(cwd, "skills/charts"),
          replaced: false,
        },
      ],
    });
  });

  test("without a path installs the skills of the standard folders, except those already in place", async () => {
    const { cwd, run } = setUp();
    expect(await run("--agent", "claude")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No skill to install"),
    });
    writeFiles(cwd, { "home/.agents/skills/charts/SKILL.md": skillMd("charts") });
    const { stdout } = await run("--agent", "claude", "--to", "~");
    expect(stdout).toContain("Installed 1 skill for claude in home/.claude/skills.");
    expect(await run("--agent", "codex", "--to", "~")).toMatchObject({ code: 1 });
    expect(readdirSync(join(cwd, "home/.agents/skills"))).toEqual(["charts"]);
  });

  test.each([
    [[], 2, "needs '--agent NAME'"],
    [["--agent", "cladue"], 2, "did you mean 'claude'?"],
    [
      ["--agent", "cursor", "--to", "~"],
      2,
      "'cursor' has no known home. In a home, '--agent' takes claude, codex, gemini",
    ],
    [["--agent", "claude", "none"], 1, "does not exist"],
    [["--agent", "claude", "home"], 1, "No skill at home"],
  ])("%j is refused with %i", async (argv, code, reason) => {
    const { cwd, run } = setUp();
    const result = await run(...argv);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(reason);
    expect(existsSync(join(cwd, ".claude"))).toBe(false);
  });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s while skills are copied leaves nothing behind", async (signal, code) => {
  const many = Array.from({ length: 1_500 }, (_, index) => [`skills/charts/${index}.md`, "x"]);
  const { cwd } = setUp();
  writeFiles(cwd, Object.fromEntries(many));
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const program = `import { main } from ${JSON.stringify(main)};
    process.exitCode = await main(["install", "--agent", "claude", "skills"]);`;
  const isCopying = () => readdirSync(cwd).includes(".claude") && readdirSync(join(cwd, ".claude")).length > 0;
  const interrupt = async (): Promise<unknown> => {
    rmSync(join(cwd, ".claude"), { recursive: true, force: true });
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd });
    while (!isCopying()) await new Promise((resolve) => setImmediate(resolve));
    child.kill(signal);
    return (await once(child, "exit"))[0];
  };
  let ended: unknown = 0;
  // On a busy machine the copy can end before the signal arrives.
  for (let tries = 0; tries < 5 && ended === 0; tries++) ended = await interrupt();
  expect(ended).toBe(code);
  expect(existsSync(join(cwd, ".claude"))).toBe(false);
});
