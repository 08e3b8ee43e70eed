import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { runCaptured } from "../cli/run-captured.ts";
import { scriptHostsOf } from "../core/host/skill-host.ts";
import type { ScriptRunner } from "../core/script/script.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { createScriptRunner } from "./runners/create-script-runner.ts";

const FILES = {
  "skills/tea/SKILL.md": skillMd("tea"),
  "skills/tea/scripts/brew.sh": "echo brewed\n",
};

/** A file in place of the folder: no user can write to it, not even root. */
function breakTemporaryFolder(): string {
  const path = join(temporaryFolder({ file: "" }), "file");
  vi.stubEnv("TMPDIR", path);
  onTestFinished(() => void vi.unstubAllEnvs());
  return path;
}

const SENTENCE = (path: string): string =>
  `Cannot create a temporary folder in '${path}' (ENOTDIR). Make it writable, or set TMPDIR to another folder.`;

test("without a temporary folder, auto disables scripts, and the problem says why", async () => {
  const cwd = temporaryFolder(FILES);
  const path = breakTemporaryFolder();
  const skillset = await createSkillset(["./skills"], { cwd, scripts: {}, onProblem: () => {} });
  const { problems, skills } = skillset;
  expect(scriptHostsOf(skillset)).toEqual([]);
  expect(skills.map(({ name }) => name)).toEqual(["tea"]);
  const message = `Scripts are disabled: ${SENTENCE(path)}`;
  expect(problems).toMatchObject([{ code: "scripts-disabled", severity: "warning", message }]);
  const session = await skillset.session();
  await expect(session.scripts.run("tea", "scripts/brew.sh")).rejects.toMatchObject({
    code: "scripts-disabled",
    message,
  });
  expect(() => session.scripts.outputs).toThrow(message);
});

test.each(["bubblewrap", "embedded", "subprocess"] as const)(
  "without a temporary folder, %s is refused with the same sentence",
  async (runner) => {
    const path = breakTemporaryFolder();
    const message = `Scripts are disabled: ${SENTENCE(path)}`;
    await expect(createSkillset([], { scripts: { runner } })).rejects.toMatchObject({
      code: "scripts-disabled",
      message,
    });
  },
);

test.each(["auto", "bubblewrap", "embedded", "subprocess"])(
  "skillset run with %s ends with 125, not with the script's 1",
  async (runner) => {
    const cwd = temporaryFolder(FILES);
    const path = breakTemporaryFolder();
    const { code, stdout, stderr } = await runCaptured(["run", "./skills/tea", "brew", "--yes", "--runner", runner], {
      cwd,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 125,
      stdout: "",
      stderr: `Scripts are disabled: ${SENTENCE(path)}\n`,
    });
  },
);

test("a temporary folder that is lost later is a sentence without its path", async () => {
  const scripts = { runner: "subprocess", consent: () => "once" as const } as const;
  const skillset = await createSkillset(["./skills"], { cwd: temporaryFolder(FILES), scripts });
  const session = await skillset.session();
  const path = breakTemporaryFolder();
  await expect(session.scripts.run("tea", "scripts/brew.sh")).rejects.toMatchObject({
    code: "script-refused",
    message: "The script did not start: this machine cannot create temporary files (ENOTDIR).",
  });
  vi.stubEnv("TMPDIR", join(path, ".."));
  expect(await session.scripts.run("tea", "scripts/brew.sh")).toMatchObject({ outcome: "exited", stdout: "brewed\n" });
});

test("a runner whose check throws does not work", async () => {
  const broken: ScriptRunner = {
    level: "mine",
    check: async () => {
      throw new Error("no machine");
    },
    run: async () => ({ outcome: "refused", reason: "never" }),
  };
  expect(await createScriptRunner(broken)).toMatchObject({ reason: "mine: it cannot be tested: no machine" });
});
