import { describe, expect, test } from "vitest";
import type { Triggers } from "../manifest/triggers.ts";
import { defineSkill } from "../skill/define-skill.ts";
import type { Skill } from "../skill/skill.ts";
import { createRankIndex } from "./rank.ts";
import { whenText } from "./when.ts";

describe("when to use a skill", () => {
  test.each([
    ["Fills in PDF forms. Use when a form has to be signed.", "when a form has to be signed."],
    ["Fills in forms; triggers on 'sign this'. Written in Rust.", "triggers on 'sign this'"],
    ["Signs forms. Ideal for contracts! Costs nothing.", "Ideal for contracts"],
    ["签署表格。当用户要签合同时触发。", "当用户要签合同时触发"],
    ["フォームに署名します。契約書を受け取ったときに使う。", "ときに使う"],
    ["Signe des formulaires. Utile quand un contrat arrive.", "quand un contrat arrive."],
  ])("is the clause of %j that names an occasion", (description, expected) => {
    expect(whenText({ description }).trim()).toBe(expected);
  });

  test("is empty for a description that names no occasion", () => {
    expect(whenText({ description: "Fills in and flattens PDF forms." })).toBe("");
  });

  test("leaves out what the skill is not for", () => {
    const description = "Use for PDF forms, not for invoices. Do not use when the file is a scan.";
    expect(whenText({ description })).not.toMatch(/invoices|scan/);
    expect(whenText({ description })).toContain("PDF forms");
  });

  test("includes the keywords and verbs that trigger the skill, but no patterns", () => {
    const triggers: Triggers = { keywords: ["tea time"], verbs: ["brew"], patterns: ["kettle+"] };
    expect(whenText({ description: "Makes tea.", triggers }).trim()).toBe("tea time\nbrew");
  });

  test.each(["use when ", "trigger", "not for ", " . ", "\n", "when. not ", "時に", "(((", "\\"])(
    "is found in a megabyte of %j",
    (part) => {
      const description = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(whenText({ description }).length).toBeLessThanOrEqual(20_000);
    },
  );
});

describe("a search", () => {
  test("prefers the skill that names the occasion over one that mentions it", async () => {
    const mentions = fake("mentions", "Prints labels for tea and contracts and forms.");
    const names = fake("names", "Prints labels for tea. Use when contracts arrive.");
    const index = await createRankIndex([mentions, names]);
    expect(index.search("contracts").map(({ skill }) => skill.name)).toEqual(["names", "mentions"]);
  });

  test.each([true, false])("with body: %s finds a skill by a trigger that its text does not contain", async (body) => {
    const tea = { ...fake("kettle", "Heats water."), triggers: { keywords: ["tea"], verbs: ["brew"], patterns: [] } };
    const index = await createRankIndex([fake("other", "Does more."), tea], { body });
    expect(index.search("brew some tea").map(({ skill }) => skill.name)).toEqual(["kettle"]);
  });
});

function fake(name: string, description: string): Skill {
  return defineSkill({ name, description, body: "Work." });
}
