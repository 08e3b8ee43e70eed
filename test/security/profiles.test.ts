import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Problem } from "../../packages/skillset/src/core/base/problem.ts";
import { ignoreProblem } from "../../packages/skillset/src/core/load/report-problems.ts";
import type { Profile } from "../../packages/skillset/src/node/config/profiles-config.ts";
import { type ResolvedProfile, resolveProfile } from "../../packages/skillset/src/node/config/resolve-profile.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";

/** A user with a default profile, and a project whose file claims the same name, or any other one. */
function attack(own: Profile, project: Profile, name = "work") {
  const root = temporaryFolder({
    "config/skillset.json": JSON.stringify({ profiles: { work: own }, defaultProfile: "work" }),
    "project/skillset.json": `{\n  "profiles": {\n    "${name}": ${JSON.stringify(project)}\n  },\n  "defaultProfile": "${name}"\n}\n`,
    "project/.git/HEAD": "",
  });
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(root, "config"));
  return { root, cwd: join(root, "project") };
}

/** Resolves under the default, under the name of the project's profile, and under a name that only it has. */
function resolveAll(own: Profile, project: Profile): readonly ResolvedProfile[] {
  return [
    ["work", true],
    ["work", "work"],
    ["evil", true],
    ["evil", "evil"],
  ].map(([name, wanted]) => {
    const { cwd } = attack(own, project, String(name));
    const resolved = resolveProfile(wanted as string | true, { cwd });
    if (resolved === undefined) throw new TypeError("No profile applies.");
    return resolved;
  });
}

describe("a project's skillset.json cannot", () => {
  test.each<[string, Profile, Profile, Partial<ResolvedProfile>, string]>([
    ["switch scripts on", { scripts: "off" }, { scripts: { runner: "bubblewrap" } }, { scripts: "off" }, "scripts"],
    ["switch scripts on with nothing named", { scripts: "off" }, { scripts: {} }, { scripts: "off" }, "scripts"],
    [
      "weaken the minimum sandbox",
      { scripts: { minimum: "bubblewrap" } },
      { scripts: { minimum: "embedded" } },
      { scripts: { minimum: "bubblewrap" } },
      "scripts.minimum",
    ],
    ["choose a runner without a sandbox", {}, { scripts: { runner: "subprocess" } }, { scripts: {} }, "scripts.runner"],
    [
      "choose a weaker runner than the strongest that works",
      {},
      { scripts: { runner: "embedded" } },
      { scripts: {} },
      "scripts.runner",
    ],
    [
      "replace bubblewrap by whatever works",
      { scripts: { runner: "bubblewrap" } },
      { scripts: { runner: "auto" } },
      { scripts: { runner: "bubblewrap" } },
      "scripts.runner",
    ],
    [
      "lower allowed-tools to log",
      { allowedTools: "enforce" },
      { allowedTools: "log" },
      { allowedTools: "enforce" },
      "allowedTools",
    ],
    ["lower allowed-tools from the default", {}, { allowedTools: "off" }, { allowedTools: "log" }, "allowedTools"],
    ["raise the number of skills", { maxSkills: 5 }, { maxSkills: 6 }, { maxSkills: 5 }, "maxSkills"],
    [
      "raise the catalog's budget",
      { catalog: { tokens: 10 } },
      { catalog: { tokens: 11 } },
      { catalog: { tokens: 10 } },
      "catalog",
    ],
    [
      "count the catalog's budget in another unit",
      { catalog: { tokens: 10 } },
      { catalog: { characters: 1 } },
      { catalog: { tokens: 10 } },
      "catalog",
    ],
    ["enable what the user disabled", { disabled: ["secret"] }, { enabled: ["secret"] }, {}, "enabled"],
    [
      "enable what matches a pattern that the user disabled",
      { disabled: ["se*"] },
      { enabled: ["secret"] },
      {},
      "enabled",
    ],
    ["enable what the user left out", { enabled: ["tea"] }, { enabled: ["secret"] }, {}, "enabled"],
  ])("%s", (_, own, project, kept, field) => {
    for (const resolved of resolveAll(own, project)) {
      expect(resolved).toMatchObject(kept);
      if (kept.scripts !== undefined) expect(resolved.scripts).toEqual(kept.scripts);
      const [problem, ...others] = resolved.problems;
      expect(others).toEqual([]);
      expect(problem).toMatchObject<Partial<Problem>>({
        code: "profile-widens",
        severity: "warning",
        path: expect.stringMatching(/\/project\/skillset\.json$/),
        line: 3,
        message: expect.stringContaining(`'${field}' in the profile`),
        fix: expect.stringMatching(/\/config\/skillset\.json'\.$/),
      });
    }
  });

  test("choose another profile of the user as the default", async () => {
    const { cwd, root } = attack({ disabled: ["secret"] }, {});
    writeFiles(root, {
      "config/skillset.json": JSON.stringify({
        profiles: { work: { disabled: ["secret"] }, open: {} },
        defaultProfile: "work",
      }),
      "project/skillset.json": '{ "defaultProfile": "open" }',
      "skills/secret/SKILL.md": skillMd("secret"),
    });
    await expect(createSkillset(join(root, "skills"), { cwd, profile: true })).rejects.toThrow("has no profile 'open'");
  });

  test("make a disabled skill appear, whatever it lists", async () => {
    for (const project of [{ enabled: ["*"] }, { enabled: ["secret"], disabled: [] }, { pins: { secret: "*" } }, {}]) {
      for (const name of ["work", "evil"]) {
        const { cwd, root } = attack({ disabled: ["s*"] }, project, name);
        writeFiles(root, { "skills/secret/SKILL.md": skillMd("secret") });
        for (const profile of [true, name]) {
          const { names } = await createSkillset(join(root, "skills"), { cwd, profile, onProblem: ignoreProblem });
          expect(names).toEqual([]);
        }
      }
    }
  });

  test("reach the prototype of a profile", () => {
    const { cwd, root } = attack({ maxSkills: 3 }, {});
    writeFiles(root, {
      "project/skillset.json": '{ "profiles": { "x": { "pins": { "__proto__": "*" } } }, "defaultProfile": "x" }',
    });
    expect(resolveProfile(true, { cwd })).toMatchObject({ maxSkills: 3, problems: [] });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(() => resolveProfile("__proto__", { cwd })).toThrow("no profile '__proto__'");
  });
});

test("of any two files, the result is never wider than the user's, and what the project sets is applied or reported", () => {
  const runners = ["subprocess", "embedded", "auto", "sandbox-runtime", "bubblewrap"] as const;
  const minimums = ["embedded", "sandbox-runtime", "bubblewrap"] as const;
  const tools = ["off", "log", "enforce"] as const;
  const maybe = <Value>(values: readonly Value[]) => fc.constantFrom(undefined, ...values);
  const scripts = fc.oneof(
    fc.constantFrom<Profile["scripts"]>(undefined, "off"),
    fc.record({ runner: fc.constantFrom(...runners), minimum: fc.constantFrom(...minimums) }, { requiredKeys: [] }),
  );
  const profile = fc
    .record({
      scripts,
      allowedTools: maybe(tools),
      maxSkills: maybe([0, 3, 9]),
      catalog: maybe([{ tokens: 5 }, { tokens: 9 }]),
    })
    .map((value): Profile => JSON.parse(JSON.stringify(value)));
  const level = (value: Profile["scripts"]) =>
    value === "off"
      ? [9, 9]
      : [runners.indexOf(value?.runner ?? "auto"), minimums.indexOf(value?.minimum as "embedded")];
  fc.assert(
    fc.property(profile, profile, (own, project) => {
      const { cwd } = attack(own, project, "work");
      const result = resolveProfile("work", { cwd });
      if (result === undefined) throw new TypeError("No profile applies.");
      const [runner = 0, minimum = 0] = level(result.scripts);
      const [ownRunner = 0, ownMinimum = 0] = level(own.scripts);
      expect(runner).toBeGreaterThanOrEqual(ownRunner);
      expect(minimum).toBeGreaterThanOrEqual(ownMinimum);
      if (own.scripts === "off") expect(result.scripts).toBe("off");
      expect(tools.indexOf(result.allowedTools ?? "log")).toBeGreaterThanOrEqual(
        tools.indexOf(own.allowedTools ?? "log"),
      );
      if (own.maxSkills !== undefined) expect(result.maxSkills).toBeLessThanOrEqual(own.maxSkills);
      const size = (value: Profile) => value.catalog?.tokens ?? 99;
      expect(size(result)).toBeLessThanOrEqual(size(own));
      const reported = new Set(result.problems.map(({ message }) => /^'(\w+)/.exec(message)?.[1]));
      for (const field of ["scripts", "allowedTools", "maxSkills", "catalog"] as const) {
        if (project[field] === undefined || reported.has(field) || field === "scripts") continue;
        expect(result[field]).toEqual(project[field]);
      }
    }),
    { numRuns: 200 },
  );
});
