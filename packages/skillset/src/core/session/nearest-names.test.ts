import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createOperations } from "../in-session.ts";
import { defineSkill } from "../skill/define-skill.ts";
import { nearestNames } from "./nearest-names.ts";

const NAMES = ["zebra", "pdf-forms", "seo-report", "seo-audit", "release-notes", "tooling", "code-review-bot"];

describe("the nearest name", () => {
  test.each([
    ["seo_audit", "seo-audit"],
    ["SEO Audit", "seo-audit"],
    ["seoaudit", "seo-audit"],
    ["seoAudit", "seo-audit"],
    ["skills:seo/audit", "seo-audit"],
    ["audit-seo", "seo-audit"],
    ["seo-audits", "seo-audit"],
    ["seo-adit", "seo-audit"],
    ["seo-aduit", "seo-audit"],
    ["release-note", "release-notes"],
    ["release", "release-notes"],
    ["code-review", "code-review-bot"],
    ["review-code", "code-review-bot"],
    ["pdf-form-filler", "pdf-forms"],
    ["zerba", "zebra"],
    ["too", "tooling"],
  ])("of %s is %s", (unknown, name) => {
    expect(nearestNames(unknown, NAMES, 5)[0]).toBe(name);
  });

  test.each(["x", "", "--", "weather", "quarterly-budget"])("does not exist for %j", (unknown) => {
    expect(nearestNames(unknown, NAMES, 5)).toEqual([]);
  });

  test("is the only suggestion when it has the same words", () => {
    expect(nearestNames("seo_audit", NAMES, 5)).toEqual(["seo-audit"]);
    expect(nearestNames("seo-adit", NAMES, 5)).not.toContain("seo-report");
  });

  test("is found with one edit at any place of any name", () => {
    const edit = fc.constantFrom("remove", "double", "swap");
    fc.assert(
      fc.property(fc.constantFrom(...NAMES.slice(1)), fc.nat(), edit, (name, place, kind) => {
        const at = place % (name.length - 1);
        const [one = "", two = ""] = [name[at], name[at + 1]];
        const middle = kind === "remove" ? two : kind === "double" ? one + one + two : two + one;
        const typed = name.slice(0, at) + middle + name.slice(at + 2);
        expect(nearestNames(typed, NAMES, 5)[0]).toBe(name);
      }),
    );
  });

  test("is found among 50,000 names", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `skill-${at.toString(36)}-${at % 97}`);
    expect(nearestNames("seo_adit", [...many, "seo-audit"], 5)).toEqual(["seo-audit"]);
    expect(nearestNames("a".repeat(80), many, 5)).toEqual([]);
  });
});

describe("a model with a wrong name", () => {
  async function failWith(name: string, { omitsNames = false, count = 30 } = {}): Promise<string> {
    const others = Array.from({ length: count }, (_, index) => skill(`other-${index}`));
    const skillset = await createSkillset([...others, skill("seo-audit"), skill("seo-audits", true)]);
    const session = await skillset.session();
    if (!omitsNames) return session.activate(name).then(String, ({ message }) => message);
    const turn = await session.turn([], {
      catalog: { budget: { tokens: 20 } },
      operations: { aliases: { search_skills: { name: "look_for" } } },
    });
    return (await turn.tools.find(({ id }) => id === "activate_skill")?.execute({ name }))?.text ?? "";
  }

  test("sees the nearest names, never hidden ones, and not the first of many", async () => {
    expect(await failWith("seo_audits")).toBe("Unknown skill 'seo_audits'. Did you mean 'seo-audit'?");
    expect(await failWith("other-1x")).toMatch(/^Unknown skill 'other-1x'\. Nearest names: other-1, .*\.$/);
    expect(await failWith("weather")).toBe("Unknown skill 'weather': none of the 31 skills has a similar name.");
  });

  test("sees all names of a few skills, nearest first", async () => {
    expect(await failWith("seo_audit", { count: 2 })).toBe(
      "Unknown skill 'seo_audit'. Available: seo-audit, other-0, other-1.",
    );
  });

  test("is sent to the search, by the name that the search has here, only where the catalog omits names", async () => {
    expect(await failWith("weather", { omitsNames: true, count: 300 })).toBe(
      "Unknown skill 'weather': none of the 301 skills has a similar name. Find skills with `look_for`.",
    );
    const session = await (await createSkillset([skill("tea")])).session();
    const [activate] = createOperations(session, { fixedList: true });
    expect((await activate?.execute({ name: "cocoa" }))?.text).toBe("Unknown skill 'cocoa'. Available: tea.");
  });
});

function skill(name: string, disableModelInvocation = false) {
  return defineSkill({ name, description: `Does ${name}.`, body: "x", disableModelInvocation });
}
