import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { runCaptured } from "./run-captured.ts";

function project(config: object): string {
  const cwd = temporaryFolder({
    "skillset.json": JSON.stringify(config),
    "s/a/SKILL.md": skillMd("a"),
    "s/b/SKILL.md": skillMd("b"),
  });
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(cwd, "no-config"));
  return cwd;
}

const CONFIG = {
  profiles: { calm: { disabled: ["b"], catalog: { tokens: 77 } }, bare: { enabled: [] } },
  defaultProfile: "calm",
};

describe("every command applies the profile:", () => {
  test.each([
    [["list", "s", "--json"], (out: string) => JSON.parse(out).skills.map(({ status }: { status: string }) => status)],
    [
      ["list", "s", "--json", "--enable", "b", "--enable", "a"],
      (out: string) => JSON.parse(out).skills.map(({ status }: { status: string }) => status),
    ],
    [["prompt", "s", "--format", "names"], (out: string) => (out.includes("b") ? [] : ["enabled", "disabled"])],
    [
      ["doctor", "s", "--json"],
      (out: string) => ["enabled", ...JSON.parse(out).skills.map(({ status }: { status: string }) => status)],
    ],
  ])("%j", async (argv, statuses) => {
    const { code, stdout } = await runCaptured(argv, { cwd: project(CONFIG) });
    expect(code).toBe(0);
    expect(statuses(stdout)).toEqual(["enabled", "disabled"]);
  });

  test.each([
    ["show", "b", "s"],
    ["install", "--agent", "claude", "s/b"],
    ["exec", "--agent", "claude", "--skill", "s/b", "--", "true"],
    ["think", "--command", "true", "--skill", "s/b", "Hello"],
  ])("%s refuses a disabled skill, with the reason", async (...argv) => {
    const cwd = project(CONFIG);
    const { code, stderr } = await runCaptured(argv, { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(`disabled by the profile 'calm' in ${cwd}/skillset.json`);
  });

  test("--profile selects another one, also in the commands that the output suggests", async () => {
    const cwd = project({ ...CONFIG, profiles: { ...CONFIG.profiles, tight: { maxSkills: 1 } } });
    const { stdout } = await runCaptured(["list", "s", "--profile", "tight"], { cwd });
    expect(stdout).toContain("2 skills: 1 enabled, 1 disabled.");
    expect(stdout).toContain("run 'skillset doctor s --profile=tight'.");
  });

  test("an unknown one is an error with exit code 2", async () => {
    const { code, stderr } = await runCaptured(["list", "s", "--profile", "clam"], { cwd: project(CONFIG) });
    expect(code).toBe(2);
    expect(stderr).toContain("; did you mean 'calm'?");
  });

  test("doctor compares the catalog with its budget, and shows what it ignores of a project's file", async () => {
    const cwd = project(CONFIG);
    const config = temporaryFolder({
      "skillset.json": JSON.stringify({ profiles: { own: { catalog: { tokens: 60 } } }, defaultProfile: "own" }),
    });
    vi.stubEnv("SKILLSET_CONFIG_HOME", config);
    const { stdout } = await runCaptured(["doctor", "s"], { cwd });
    expect(stdout).toContain("the budget of 60.");
    expect(stdout).toMatch(
      /skillset\.json:1:\d+: warning: 'catalog' in the profile 'calm' replaces .* \[profile-widens\]/,
    );
  });
});
