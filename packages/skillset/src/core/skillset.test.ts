import { describe, expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import { defineSkill } from "./skill/define-skill.ts";
import type { FolderOrigin, Skill } from "./skill/skill.ts";
import { makeSkillset } from "./skillset.ts";
import { type SelectOptions, type SkillCandidate, selectSkills } from "./source/select.ts";

const make = (name: string, description = `Does ${name}.`) => defineSkill({ name, description, body: `# ${name}` });
const offered = (...names: string[]) => names.map((name): SkillCandidate => ({ kind: "skill", skill: make(name) }));
const set = (candidates: SkillCandidate[], options?: SelectOptions) => makeSkillset(selectSkills(candidates, options));
const origin: FolderOrigin = {
  kind: "folder",
  folder: "/p/x",
  root: "/p",
  scope: "project",
  stamp: { ino: 1, size: 1, mtimeMs: 1, ctimeMs: 1 },
};

describe("a skillset is an immutable snapshot", () => {
  test("its parts cannot be changed", () => {
    const skills = set(offered("a"));
    for (const part of [skills, skills.skills, skills.entries, skills.problems, skills.collisions, skills.settings])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test("it keeps the order of its sources", () => {
    expect(set(offered("c", "a", "b")).names).toEqual(["c", "a", "b"]);
  });

  test("its fingerprint changes with the skills", () => {
    expect(set(offered("a", "b")).fingerprint).toBe(set(offered("a", "b")).fingerprint);
    expect(set(offered("a", "b")).fingerprint).not.toBe(set(offered("b", "a")).fingerprint);
    expect(set([{ kind: "skill", skill: make("a", "One.") }]).fingerprint).not.toBe(
      set([{ kind: "skill", skill: make("a", "Two.") }]).fingerprint,
    );
  });
});

describe("collisions", () => {
  const first = make("a", "First.");
  const second = make("a", "Second.");
  const both: SkillCandidate[] = [
    { kind: "skill", skill: first },
    { kind: "skill", skill: second },
  ];

  test("the first wins by default, and the loser is recorded", () => {
    const skills = set(both);
    expect(skills.get("a")).toBe(first);
    expect(skills.collisions).toEqual([{ name: "a", winner: first, losers: [second] }]);
    expect(skills.problems).toContainEqual(expect.objectContaining({ code: "skill-shadowed" }));
    expect(skills.entries.map(({ status }) => status)).toEqual(["enabled", "shadowed"]);
  });

  test("the last wins on request", () => {
    expect(set(both, { collisions: "last" }).get("a")).toBe(second);
  });

  test.each([
    ["first", 0, ["enabled", "shadowed"]],
    ["last", 0, ["enabled", "shadowed"]],
    ["highest", 1, ["shadowed", "enabled"]],
  ] as const)("a skill that is named again after another one is one entry: %s", (collisions, winner, statuses) => {
    const skills = ["1.0.0", "2.0.0"].map((version) =>
      defineSkill({ name: "a", description: "A.", body: "A.", metadata: { version } }),
    );
    const candidates = [0, 1, 0].map((at): SkillCandidate => ({ kind: "skill", skill: skills[at] as Skill }));
    const { entries, names, collisions: found } = set(candidates, { collisions });
    expect(names).toEqual(["a"]);
    expect(entries.map(({ status }) => status)).toEqual(statuses);
    expect(found).toEqual([{ name: "a", winner: skills[winner], losers: [skills[1 - winner]] }]);
  });

  test.each([
    [["1.0.0", "1.1.0"], 1],
    [["1.9", "1.10"], 1],
    [["2.0.0", "1.0.0", "2.1.0", "2.0.5"], 2],
    [["2.0.0", "2.0.0-rc.1"], 0],
    [["1.0.0", "1.0.0"], 0],
    [[undefined, "9.0.0"], 0],
    [["1.0.0", undefined], 0],
    [["1.0.0", "newest"], 0],
    [["latest", "9.0.0"], 0],
  ])("the newest wins on request, and the first of those without a valid version: %j", (versions, index) => {
    const skills = versions.map((version) =>
      defineSkill({ name: "a", description: "A.", body: "A.", ...(version && { metadata: { version } }) }),
    );
    const candidates = skills.map((skill): SkillCandidate => ({ kind: "skill", skill }));
    expect(set(candidates, { collisions: "highest" }).get("a")).toBe(skills[index]);
  });

  test("they are an error on request", () => {
    expect(() => set(both, { collisions: "error" })).toThrow("Two skills are named 'a'");
  });

  test("a disabled skill still shadows others", () => {
    const skills = set([...both, ...offered("b")], { disabled: ["a"] });
    expect(skills.names).toEqual(["b"]);
    expect(skills.entries.map(({ status }) => status)).toEqual(["disabled", "shadowed", "enabled"]);
  });

  test("a locked skill shadows nothing", () => {
    const skills = set([
      { kind: "skill", skill: first, locked: "not trusted" },
      { kind: "skill", skill: second },
    ]);
    expect(skills.get("a")).toBe(second);
    expect(skills.collisions).toEqual([]);
    expect(skills.entries[0]).toMatchObject({ status: "locked", reason: "not trusted" });
  });

  test("an invalid skill shadows nothing", () => {
    const skills = set([
      { kind: "invalid", name: "a", origin, reason: "no description" },
      { kind: "skill", skill: second },
    ]);
    expect(skills.get("a")).toBe(second);
    expect(skills.entries[0]).toMatchObject({ status: "invalid", reason: "no description" });
  });
});

describe("filters", () => {
  const all = offered("pdf-read", "pdf-fill", "csv-read", "pdf-old");

  test.each([
    [{}, ["pdf-read", "pdf-fill", "csv-read", "pdf-old"]],
    [{ enabled: ["pdf-*"] }, ["pdf-read", "pdf-fill", "pdf-old"]],
    [{ enabled: ["pdf-*"], disabled: ["*-old"] }, ["pdf-read", "pdf-fill"]],
    [{ enabled: ["csv-read"] }, ["csv-read"]],
    [{ enabled: [] }, []],
    [{ disabled: ["pdf-*"] }, ["csv-read"]],
  ])("%o leaves %j", (options, names) => {
    expect(set(all, options).names).toEqual(names);
    expect(set(all).filter(options).names).toEqual(names);
  });

  test("a filtered-out skill is not enabled, but stays in entries with the reason", () => {
    const skills = set(all, { disabled: ["*-old"] });
    expect(skills.has("pdf-old")).toBe(false);
    expect(skills.entries.find(({ name }) => name === "pdf-old")).toMatchObject({
      status: "disabled",
      reason: "matches '*-old'",
    });
    expect(skills.catalog().text).not.toContain("pdf-old");
  });

  test("a pattern that matches nothing is reported", () => {
    expect(set(all, { disabled: ["pfd-read"] }).problems).toEqual([
      expect.objectContaining({
        code: "pattern-unmatched",
        severity: "info",
        message: "'pfd-read' in 'disabled' matches no skill.",
      }),
    ]);
  });

  test("skills over maxSkills are left out, with a warning", () => {
    const skills = set(all, { maxSkills: 2 });
    expect(skills.names).toEqual(["pdf-read", "pdf-fill"]);
    expect(skills.problems).toEqual([
      expect.objectContaining({
        code: "skill-limit",
        severity: "warning",
        message: expect.stringContaining("2 skills are left out"),
      }),
    ]);
  });
});

test("rank finds the skill that a request is about", async () => {
  const skills = set([
    { kind: "skill", skill: make("invoices", "Looks up invoices and explains billing.") },
    { kind: "skill", skill: make("weather", "Reports the weather.") },
  ]);
  const [best] = await skills.rank("why is my billing so high?");
  expect(best?.skill.name).toBe("invoices");
});

test("a set of skills in code reloads to itself", async () => {
  const skills = set(offered("a"));
  expect(await skills.reload()).toEqual({ skillset: skills, changes: { added: [], removed: [], changed: [] } });
});

test("filter() refuses an option that it does not have, so that a misspelt one hides nothing silently", async () => {
  const set = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." })]);
  expect(() => set.filter({ enable: ["coffee"] } as never)).toThrow(
    "filter() has no option 'enable'. Did you mean 'enabled'?",
  );
});
