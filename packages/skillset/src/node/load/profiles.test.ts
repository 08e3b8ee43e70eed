import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { scriptHostsOf } from "../../core/host/skill-host.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import type { Profile } from "../config/profiles-config.ts";
import { resolveProfile } from "../config/resolve-profile.ts";
import { createSkillset } from "./create-skillset.ts";

interface Config {
  readonly profiles?: Readonly<Record<string, Profile>>;
  readonly defaultProfile?: string;
}

/** A project with three skills, and a user with a config folder. */
function world({ own, project }: { own?: Config; project?: Config }) {
  const root = temporaryFolder({
    ...(own && { "config/skillset.json": JSON.stringify(own, null, 2) }),
    ...(project && { "project/skillset.json": JSON.stringify(project, null, 2) }),
    "project/.git/HEAD": "",
    "project/skills/a/SKILL.md": skillMd("a"),
    "project/skills/b/SKILL.md": skillMd("b"),
    "project/skills/draft-c/SKILL.md": "---\nname: draft-c\ndescription: C.\nmetadata:\n  version: 1.2.0\n---\n",
    "project/deep/er/README.md": "",
  });
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(root, "config"));
  const cwd = join(root, "project");
  const load = (profile: string | boolean = true, options = {}) =>
    createSkillset("skills", { cwd, profile, onProblem: ignoreProblem, ...options });
  return { root, cwd, load };
}

describe("a profile", () => {
  test("selects skills, and names itself and its file as the reason", async () => {
    const { load, cwd } = world({
      project: { profiles: { review: { enabled: ["a", "draft-*"], disabled: ["draft-*"] } } },
    });
    const { names, entries } = await load("review");
    expect(names).toEqual(["a"]);
    expect(entries.map((entry) => (entry.status === "enabled" ? "" : entry.reason))).toEqual([
      "",
      `disabled by the profile 'review' in ${cwd}/skillset.json: not among the enabled skills`,
      `disabled by the profile 'review' in ${cwd}/skillset.json: matches 'draft-*'`,
    ]);
  });

  test("is read only if the program asks for one", async () => {
    const { load } = world({ project: { profiles: { x: { enabled: [] } }, defaultProfile: "x" } });
    expect((await load(false)).size).toBe(3);
    expect((await load(true)).size).toBe(0);
  });

  test("is the default one of each file if no name is given, and none without a default", async () => {
    expect((await world({ project: { profiles: { x: { enabled: [] } } } }).load()).size).toBe(3);
    expect((await world({}).load()).size).toBe(3);
    const both = world({
      own: { profiles: { x: { disabled: ["a"] } }, defaultProfile: "x" },
      project: { profiles: { y: { disabled: ["b"] } }, defaultProfile: "y" },
    });
    expect((await both.load()).names).toEqual(["draft-c"]);
  });

  test("comes from the nearest file upwards, up to the root of the repository", () => {
    const { cwd } = world({ project: { profiles: { x: { maxSkills: 7 } } } });
    expect(resolveProfile("x", { cwd: join(cwd, "deep/er") })).toMatchObject({ maxSkills: 7 });
  });

  test("with an unknown name is an error with the nearest name", async () => {
    const { load, cwd, root } = world({ own: { profiles: { safe: {} } }, project: { profiles: { review: {} } } });
    await expect(load("reviw")).rejects.toThrow(
      `There is no profile 'reviw' in '${cwd}/skillset.json' or '${root}/config/skillset.json'; did you mean 'review'?`,
    );
    await expect(load("zzz")).rejects.toThrow("Known profiles: safe, review.");
    await expect(load("constructor")).rejects.toMatchObject({ code: "config-invalid" });
  });

  test("pins skills to versions and digests", async () => {
    const { load } = world({ project: { profiles: { x: { pins: { "draft-c": "^1.1" } } } } });
    const digest = await (await load("x")).get("draft-c")?.digest();
    expect(digest).toMatch(/^sha256:/);
    const pinned = (pin: string) =>
      world({ project: { profiles: { x: { pins: { "draft-c": pin, a: "*" } } } } }).load("x");
    expect((await pinned(digest ?? "")).names).toEqual(["b", "draft-c"]);
    const { entries } = await pinned(`sha256:${"0".repeat(64)}`);
    expect(entries.at(-1)).toMatchObject({ status: "disabled", reason: expect.stringContaining(`and has ${digest}`) });
    expect((await pinned("^2")).entries.at(-1)).toMatchObject({
      reason: expect.stringMatching(/: pinned to \^2, and has version 1\.2\.0$/),
    });
    expect((await pinned("^2")).entries[0]).toMatchObject({
      reason: expect.stringMatching(/pinned to \*, and has no version$/),
    });
  });

  test("limits the number of skills and the size of catalogs", async () => {
    const { load } = world({ own: { profiles: { x: { maxSkills: 2, catalog: { tokens: 20 } } } } });
    const skillset = await load("x");
    expect(skillset.names).toEqual(["a", "b"]);
    expect((await load("x", { maxSkills: 1 })).names).toEqual(["a"]);
    expect((await load("x", { maxSkills: 9 })).names).toEqual(["a", "b"]);
    const full = skillset.catalog({ budget: { tokens: 10_000 } });
    expect(full.tokens).toBeGreaterThan(20);
    expect(skillset.catalog().text).not.toBe(full.text);
    expect(skillset.filter({ disabled: ["zz"] }).catalog().text).toBe(skillset.catalog().text);
    const { catalog } = await (await skillset.session()).turn([]);
    expect([...catalog.nameOnly, ...catalog.omitted, ...catalog.shortened]).not.toEqual([]);
  });

  test("pins skills in catalogs: the program's, the user's, then the project's", async () => {
    const { load } = world({
      own: { profiles: { x: { catalog: { pins: ["b"] } } } },
      project: { profiles: { x: { catalog: { tokens: 50, pins: ["a", "zz"] } } } },
    });
    const skillset = await load("x", { catalog: { pins: ["draft-c"] } });
    expect(skillset.settings).toMatchObject({ budget: { tokens: 50 }, pins: ["draft-c", "b", "a", "zz"] });
    expect(skillset.problems).toContainEqual(
      expect.objectContaining({ code: "pattern-unmatched", message: expect.stringContaining("'pins' has 'zz'") }),
    );
  });

  test("applies after a reload too", async () => {
    const { load } = world({ project: { profiles: { x: { disabled: ["a"] } } } });
    expect((await (await load("x")).reload()).skillset.names).toEqual(["b", "draft-c"]);
  });

  test("keeps a disabled skill shadowing others", async () => {
    const { load, cwd } = world({ project: { profiles: { x: { disabled: ["a"] } } } });
    const other = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const { names, entries } = await createSkillset([join(cwd, "skills"), other], {
      cwd,
      profile: "x",
      onProblem: ignoreProblem,
    });
    expect(names).not.toContain("a");
    expect(entries.at(-1)).toMatchObject({ name: "a", status: "shadowed" });
    expect((await load("x")).names).not.toContain("a");
  });

  test("sets the policy for allowed-tools, and never weakens the program's", async () => {
    const { load } = world({
      own: { profiles: { strict: { allowedTools: "enforce" }, weak: { allowedTools: "off" } } },
    });
    expect((await load("strict")).settings.allowedTools).toBe("enforce");
    expect((await load("weak", { allowedTools: "enforce" })).settings.allowedTools).toBe("enforce");
    expect((await load("weak")).settings.allowedTools).toBe("off");
  });

  test("never switches scripts on, and switches them off", async () => {
    const { load } = world({
      own: { profiles: { on: { scripts: { runner: "subprocess" } }, off: { scripts: "off" } } },
    });
    expect(scriptHostsOf(await load("on"))).toEqual([]);
    expect(scriptHostsOf(await load("on", { scripts: {} }))).toHaveLength(1);
    expect(scriptHostsOf(await load("off", { scripts: { runner: "subprocess" } }))).toEqual([]);
  });

  test.each([
    ["off", ["scripts are disabled"]],
    ["strong", ["scripts are disabled"]],
    ["none", []],
  ])("with scripts '%s', decides on toolsets in the program's process", async (profile, reasons) => {
    const profiles = { off: { scripts: "off" }, strong: { scripts: { minimum: "embedded" } }, none: {} } as const;
    const { load, cwd } = world({ own: { profiles } });
    writeFiles(join(cwd, "skills/t"), {
      "SKILL.md": "---\nname: t\ndescription: T.\nmetadata:\n  toolsets: toolsets/index:T\n---\n",
      "toolsets/index.mjs": "export const T = { tools: [] };\n",
    });
    const session = await (await load(profile, { toolsets: "in-process" })).session();
    await session.activate("t");
    const failed = session.ledger.entries.flatMap((entry) => (entry.type === "toolset-failed" ? [entry.reason] : []));
    expect(failed).toEqual(reasons);
  });

  test("does not run scripts in a weaker runner than the program names", async () => {
    const { load } = world({
      own: {
        profiles: {
          weak: { scripts: { runner: "subprocess" } },
          middle: { scripts: { runner: "sandbox-runtime" } },
          strong: { scripts: { runner: "bubblewrap" } },
        },
      },
    });
    const strict = { scripts: { runner: "auto", minimum: "bubblewrap" } };
    const level = async (profile: string, options: object) => {
      const skillset = await load(profile, options);
      return scriptHostsOf(skillset).length === 0 ? skillset.problems.map(({ code }) => code) : "runs";
    };
    // Whether bubblewrap works depends on the machine: what counts is that nothing weaker takes its place.
    const expected = await level("weak", strict);
    expect(["runs", ["scripts-disabled"]]).toContainEqual(expected);
    for (const profile of ["middle", "strong"])
      expect(await level(profile, { scripts: { runner: "subprocess" } })).toEqual(expected);
  });
});

describe("the user's own file", () => {
  test("is used alone when the working directory is its folder", async () => {
    const { root } = world({ own: { profiles: { x: { maxSkills: 5 } }, defaultProfile: "x" } });
    const resolved = resolveProfile(true, { cwd: join(root, "config") });
    expect(resolved?.sources).toHaveLength(1);
    symlinkSync(join(root, "config/skillset.json"), join(root, "project/skillset.json"));
    expect(resolveProfile(true, { cwd: join(root, "project") })?.sources).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")("is refused if others can write to it", async () => {
    const { load, root } = world({ own: { profiles: { x: {} }, defaultProfile: "x" } });
    chmodSync(join(root, "config/skillset.json"), 0o666);
    await expect(load()).rejects.toThrow("so it is refused. Run 'chmod go-w' on it.");
  });
});
