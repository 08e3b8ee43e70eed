import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { endWithTest } from "../../../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { runCaptured } from "../../run-captured.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const PROGRAM = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;

/** Starts `skillset exec` in a separate process. Homes are created in `tmp`, which must be empty afterwards. */
function start(...argv: string[]) {
  const cwd = temporaryFolder({ "skills/charts/SKILL.md": skillMd("charts"), "tmp/x": "", "codex/auth.json": "me" });
  rmSync(join(cwd, "tmp/x"));
  const env = { PATH: process.env.PATH, TMPDIR: join(cwd, "tmp"), MY_SECRET: "secret", TERM: "dumb", API_KEY: "any" };
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, "exec", ...argv], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithTest(child);
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr }),
  );
  return { cwd, child, ended, left: () => readdirSync(join(cwd, "tmp")) };
}

describe("skillset exec", () => {
  test("runs a program with the skills in its home, and removes the home afterwards", async () => {
    const { ended, left } = start(
      "--agent",
      "claude",
      "--skill",
      "skills",
      "--",
      "sh",
      "-c",
      'cd; find . -name "*.md"; pwd',
    );
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [file, home = ""] = stdout.trim().split("\n");
    expect(file).toBe("./.claude/skills/charts/SKILL.md");
    expect(existsSync(home)).toBe(false);
    expect(left()).toEqual([]);
  });

  test("passes on only PATH, the terminal's variables and those that are named", async () => {
    const given = ["--agent", "codex", "--env", "API_KEY", "--env", "MODE=a=b", "--keep", "CODEX_HOME=codex"];
    const { ended, cwd } = start(...given, "--", "env");
    const { stdout } = await ended;
    const env = Object.fromEntries(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(env).toMatchObject({ API_KEY: "any", MODE: "a=b", TERM: "dumb", CODEX_HOME: join(cwd, "codex") });
    expect(
      Object.keys(env)
        .filter((name) => !/^(?:XDG_|PATH$|HOME$|TMPDIR$|_$|PWD$|SHLVL$)/.test(name))
        .sort(),
    ).toEqual(["API_KEY", "CODEX_HOME", "MODE", "TERM"]);
  });

  test("accepts a skills folder for any other agent", async () => {
    const { ended } = start(
      "--skills-folder",
      ".x/skills",
      "--skill",
      "skills",
      "--",
      "sh",
      "-c",
      "ls $HOME/.x/skills",
    );
    expect((await ended).stdout).toBe("charts\n");
  });

  test.each([
    ["exit 7", 7],
    ["kill -SEGV $$", 139],
  ])("has the exit code of the program: %s", async (script, code) => {
    const { ended, left } = start("--agent", "pi", "--", "sh", "-c", script);
    expect(await ended).toMatchObject({ code, signal: null });
    expect(left()).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "passes %s on, and waits for the program to end",
    async (signal) => {
      const script = `trap 'echo heard; exit 5' ${signal.slice(3)}; echo > ready; while :; do sleep 0.05; done`;
      const { child, ended, left, cwd } = start("--agent", "claude", "--skill", "skills", "--", "sh", "-c", script);
      await vi.waitFor(() => expect(existsSync(join(cwd, "ready"))).toBe(true), { timeout: 20_000 });
      expect(left()).toHaveLength(1);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 5, signal: null, stdout: "heard\n" });
      expect(left()).toEqual([]);
    },
  );

  test("a program that does not exist is an error of one sentence", async () => {
    const { ended, left } = start("--agent", "claude", "--", "no-such-program");
    expect(await ended).toMatchObject({
      code: 1,
      stderr: "'no-such-program' cannot be started: the program does not exist.\n",
    });
    expect(left()).toEqual([]);
  });

  test.each([
    [["--agent", "claude"], "needs a command"],
    [["--", "true"], "needs either '--agent NAME'"],
    [["--agent", "claude", "--skills-folder", "x", "--", "true"], "needs either '--agent NAME'"],
    [
      ["--agent", "vscode", "--", "true"],
      "'vscode' has no known home. '--agent' takes claude, codex, gemini, opencode or pi.",
    ],
    [["--agent", "cdoex", "--", "true"], "did you mean 'codex'?"],
    [["--agent", "claude", "--env", "a b", "--", "true"], "needs NAME or NAME=VALUE"],
    [["--agent", "claude", "--keep", "CODEX_HOME", "--", "true"], "is not set."],
  ])("%j is a usage error", async (argv, reason) => {
    const result = await runCaptured(["exec", ...argv], { cwd: temporaryFolder() });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(reason);
  });
});
