import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { runCaptured } from "../run-captured.ts";

const PROJECT = {
  "project/.git/HEAD": "",
  "project/src/index.ts": "",
  "project/.agents/skills/ours/SKILL.md": skillMd("ours"),
  "project/.agents/skills/ours/scripts/run.sh": "echo",
  "project/.agents/skills/bad/SKILL.md": "",
};

/** A project and, in the same folder, a config home that no other test uses. */
function project(files: Readonly<Record<string, string>> = PROJECT) {
  const root = temporaryFolder(files);
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(root, "config"));
  const world = { cwd: join(root, "project"), home: join(root, "home"), isTTY: true, env: { NO_COLOR: "1" } };
  const run = (...argv: string[]) => runCaptured(argv, world);
  const runWithoutTerminal = (...argv: string[]) => runCaptured(argv, { ...world, isTTY: false });
  const status = async () => {
    const { skills } = JSON.parse((await run("list", "--json")).stdout) as {
      skills: { name: string; status: string; reason?: string }[];
    };
    return skills.find(({ name }) => name === "ours");
  };
  return { root, run, runWithoutTerminal, status, store: join(root, "config", "trust.json") };
}

describe("skillset trust", () => {
  test("unlocks the project's skills until they change, and --revoke locks them again", async () => {
    const { root, run, status } = project();
    expect((await status())?.status).toBe("locked");
    const trusted = await run("trust", "src");
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toMatch(/^ {2}ours {2}sha256:[0-9a-f]{12} {2}2 files, 1 script {2}\.agents\/skills\/ours$/m);
    expect(trusted.stdout).toMatch(/^ {2}bad {3}not trusted: The file does not start/m);
    expect(trusted.stdout).toContain("Trusted 1 skill.");
    expect((await status())?.status).toBe("enabled");
    expect((await run("trust")).stdout).toContain("Nothing new to trust.");

    writeFileSync(join(root, "project/.agents/skills/ours/scripts/run.sh"), "rm -rf /");
    expect(await status()).toMatchObject({ status: "locked", reason: expect.stringContaining("changed") });
    expect((await run("trust")).code).toBe(0);
    expect((await status())?.status).toBe("enabled");

    const revoked = await run("trust", "--revoke");
    expect(revoked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Locked 1 skill in '${root}/project'.`),
    });
    expect((await status())?.status).toBe("locked");
  });

  test("without a terminal, it needs --yes; --dry-run and --revoke do not", async () => {
    const { runWithoutTerminal: run, store } = project();
    for (const argv of [["trust"], ["trust", "--json"], ["trust", "src"]]) {
      expect(await run(...argv)).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/without a terminal it needs --yes\. Review the skills first/),
      });
      expect(existsSync(store)).toBe(false);
    }
    expect((await run("trust", "--dry-run")).code).toBe(0);
    expect((await run("trust", "--yes")).stdout).toContain("Trusted 1 skill.");
    expect((await run("trust", "--revoke")).stdout).toContain("Locked 1 skill");
  });

  test("--dry-run changes nothing, and --json prints JSON", async () => {
    const { root, run, store } = project();
    const { stdout } = await run("trust", "--dry-run", "--json");
    expect(existsSync(store)).toBe(false);
    expect(JSON.parse(stdout)).toEqual({
      action: "trust",
      dryRun: true,
      skills: [
        expect.objectContaining({ name: "bad", state: "refused" }),
        {
          name: "ours",
          path: `${root}/project/.agents/skills/ours`,
          state: "trusted",
          digest: expect.stringMatching(/^sha256:/),
          files: 2,
          scripts: 1,
        },
      ],
    });
    expect((await run("trust", "--dry-run")).stdout).toContain("Would trust 1 skill.");
  });

  test("having nothing to trust or revoke is an error with exit code 1", async () => {
    const { root, run } = project({ "project/.git/HEAD": "" });
    expect(await run("trust")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Nothing to trust: .*\.\n$/),
    });
    expect(await run("trust", "--revoke")).toEqual({
      code: 1,
      stdout: "",
      stderr: `Nothing to revoke: no skill in '${root}/project' is trusted.\n`,
    });
    expect(await run("trust", "nowhere")).toEqual({
      code: 1,
      stdout: "",
      stderr: `'${root}/project/nowhere' is not a folder.\n`,
    });
  });

  test("an unreadable folder affects only its own skill", async () => {
    const { root, run } = project({
      "project/.git/HEAD": "",
      "project/.agents/skills/ours/SKILL.md": skillMd("ours"),
      "project/.agents/skills/shut/SKILL.md": skillMd("shut"),
      "project/.agents/skills/shut/private/x.md": "x",
    });
    mkdirSync(join(root, "config"), { mode: 0o700 });
    chmodSync(join(root, "project/.agents/skills/shut/private"), 0);
    const { code, stdout } = await asOrdinaryUser(root, () => run("trust"));
    chmodSync(join(root, "project/.agents/skills/shut/private"), 0o700);
    expect(stdout).toMatch(/^ {2}shut {2}not trusted: some of it cannot be read \(EACCES\)\. Check the permissions/m);
    expect(stdout).toContain("Trusted 1 skill.");
    expect(code).toBe(0);
  });
});

/** Permissions do not apply to root, so the test drops root for a moment. */
async function asOrdinaryUser<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  for (const folder of [root, join(root, "config")]) chownSync(folder, 65_534, 65_534);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test("trusts and revokes the skills in ./skills, and none outside the project", async () => {
  const root = temporaryFolder({ "one/skills/a/SKILL.md": skillMd("a"), "two/skills/b/SKILL.md": skillMd("b") });
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(root, "config"));
  const home = join(root, "home");
  const status = async (project: string) =>
    JSON.parse((await runCaptured(["list", "--json"], { cwd: join(root, project), home })).stdout).skills[0].status;
  for (const project of ["one", "two"]) {
    expect(await status(project)).toBe("locked");
    expect((await runCaptured(["trust", "--yes"], { cwd: join(root, project), home })).code).toBe(0);
    expect(await status(project)).toBe("enabled");
  }
  await runCaptured(["trust", "--revoke"], { cwd: join(root, "one"), home });
  expect([await status("one"), await status("two")]).toEqual(["locked", "enabled"]);
});
