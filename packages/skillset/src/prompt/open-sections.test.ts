import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { defineTool } from "../core/tool/tool.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { openSections, openSectionsTool, VisibilityExpansionRequired } from "./open-sections.ts";
import { Prompt } from "./prompt.ts";
import { PromptTemplate } from "./prompt-template.ts";
import type { PromptEvent } from "./section/events.ts";
import { MarkdownSection } from "./section/markdown-section.ts";
import type { Section } from "./section/section.ts";
import { SkillRef } from "./section/skill-ref.ts";
import { SkillSection } from "./section/skill-section.ts";
import { SkillsSection } from "./section/skills-section.ts";

const lint = defineTool({ name: "lint_code", description: "Lints.", handler: () => "fine" });
const linting = new SkillSection({
  name: "linting",
  description: "Lints code.",
  title: "Linting",
  template: "Use `lint_code` on $path.",
  tools: [lint],
});
const naming = new SkillSection({ name: "naming", description: "Names.", title: "Naming", template: "Be clear." });
const notes = new MarkdownSection({
  title: "Notes",
  key: "notes",
  template: "All of it",
  summary: "Some of it",
  visibility: "summary",
});
const rendered = (...sections: Section[]) =>
  new Prompt(new PromptTemplate({ ns: "demo", key: "open", sections })).bind({ path: "src" }).render();
const start = () => rendered(notes, new SkillsSection({ skills: [linting, naming] }));
const input = (...section_keys: string[]) => ({ section_keys, reason: "needed" });

describe("open_sections", () => {
  test("is available while a section is summarised, and lists the keys", () => {
    const tool = openSectionsTool(start());
    expect(tool).toMatchObject({ name: "open_sections", readOnly: true });
    expect(tool?.inputSchema).toMatchObject({
      properties: { section_keys: { items: { enum: ["notes", "skills.linting", "skills.naming"] }, minItems: 1 } },
      required: ["section_keys", "reason"],
    });
    const last = openSections(start(), input("notes", "skills.linting", "skills.naming")).rendered;
    expect(openSectionsTool(last)).toBeUndefined();
  });

  test("lists no more keys than are useful", () => {
    const skills = Array.from(
      { length: 51 },
      (_, index) => new SkillSection({ name: `s${index}`, description: "d", title: "t", template: "t" }),
    );
    expect(JSON.stringify(openSectionsTool(rendered(new SkillsSection({ skills }))))).not.toContain("enum");
  });

  test("opens any summarised section, one or several, and returns their text", () => {
    const { text, keys, reason, rendered: next } = openSections(start(), input("notes", "skills.naming", "notes"));
    expect(text).toBe("## Notes\n\nAll of it\n\n### Naming\n\nBe clear.");
    expect([keys, reason]).toEqual([["notes", "skills.naming"], "needed"]);
    expect(next.summarised).toEqual(["skills.linting"]);
    expect(next.text).toContain("All of it");
  });

  test("a summarised section explains how to open it", () => {
    expect(rendered(notes).text).toBe(
      '## Notes\n\nSome of it\n\n---\n[This section is summarized. Call `open_sections` with key "notes"\nto view the full text.]',
    );
  });

  test("an opened section stays open", () => {
    const once = openSections(start(), input("notes")).rendered;
    const twice = openSections(once, input("skills.linting")).rendered;
    expect(twice.open).toEqual(["notes", "skills.linting"]);
    expect(twice.summarised).toEqual(["skills.naming"]);
  });

  test("a section that is already open does not invalidate the request for others", () => {
    const once = openSections(start(), input("notes")).rendered;
    const { keys, text, rendered: next } = openSections(once, input("notes", "skills.naming", "skills"));
    expect(keys).toEqual(["skills.naming"]);
    expect(text).toBe("### Naming\n\nBe clear.\n\nOpen already: notes, skills.");
    expect(next.open).toEqual(["notes", "skills.naming"]);
  });

  test("an adapter that restarts gets the keys to render with", () => {
    const once = openSections(start(), input("notes")).rendered;
    const open = () => openSections(once, input("skills.linting"), { rerender: true });
    expect(open).toThrow(VisibilityExpansionRequired);
    expect(open).toThrow(
      expect.objectContaining({
        code: "expansion-required",
        sectionKeys: ["skills.linting"],
        open: ["notes", "skills.linting"],
        reason: "needed",
      }),
    );
  });

  test("a reference is opened like any other skill", () => {
    const path = join(temporaryFolder({ "docs/SKILL.md": skillMd("docs", "Docs.", "Write $them") }), "docs");
    const whole = rendered(new SkillsSection({ skillRefs: [new SkillRef({ path })] }));
    expect(openSections(whole, input("skills.docs")).text).toBe("### docs\n\nWrite $them");
  });

  test.each([
    [
      { section_keys: ["nope"], reason: "" },
      "There is no section 'nope'. To open: notes, skills.linting, skills.naming.",
    ],
    [{ section_keys: ["__proto__"] }, "There is no section '__proto__'."],
    [{ section_keys: ["skills"] }, "Open already: skills. To open: notes, skills.linting, skills.naming."],
    [{ section_keys: ["skills", "nope"] }, "There is no section 'nope'."],
    [{ section_keys: ["notes", "nope"] }, "There is no section 'nope'."],
    [{ section_keys: [] }, "'section_keys' must name at least one section."],
    [{ section_keys: [7] }, "'section_keys' must name at least one section."],
    [{}, "'section_keys' must name at least one section."],
    [undefined, "'section_keys' must name at least one section."],
    ["notes", "'section_keys' must name at least one section."],
    [{ section_keys: ["notes"], reason: 7 }, "'reason' must be a string."],
  ])("%j is an error for the model", (given, message) => {
    const events: PromptEvent[] = [];
    expect(() => openSections(start(), given, { onEvent: (event) => events.push(event) })).toThrow(message);
    expect(events).toEqual([]);
  });

  test("errors are short, whatever the model sends", () => {
    try {
      openSections(start(), input("x".repeat(100_000)));
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(200);
    }
    const all = openSections(start(), input("notes", "skills.linting", "skills.naming")).rendered;
    expect(() => openSections(all, input("notes"))).toThrow("Open already: notes. All sections are open.");
  });
});

describe("the tools of a skill", () => {
  test("are available only once it is open", () => {
    const before = start();
    expect(before.tools).toEqual([]);
    const { rendered: after, tools } = openSections(before, input("skills.linting"));
    expect(after.tools.map(({ name, section }) => [name, section])).toEqual([["lint_code", "skills.linting"]]);
    expect(tools).toEqual(after.tools);
    expect(openSections(after, input("notes")).tools).toEqual([]);
  });
});

describe("SkillExpanded", () => {
  test("is emitted for each opened skill, and for nothing else", () => {
    const events: PromptEvent[] = [];
    openSections(start(), input("notes", "skills.linting"), {
      session: { id: "chat-1" },
      onEvent: (event) => events.push(event),
    });
    expect(events).toEqual([
      {
        type: "SkillExpanded",
        skillName: "linting",
        skillKey: "skills.linting",
        promptNs: "demo",
        promptKey: "open",
        sessionId: "chat-1",
        createdAt: expect.any(Date),
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(Object.isFrozen(events[0])).toBe(true);
  });

  test("activates the skill in a given session", async () => {
    const session = await (await createSkillset([])).session();
    const activated = new Promise((resolve) => session.ledger.on("skill-activated", resolve));
    openSections(start(), input("notes", "skills.linting"), { session });
    expect(await activated).toMatchObject({ skill: "linting", by: "model" });
    expect(session.active).toEqual(["linting"]);
  });

  test("is emitted before the adapter restarts, and a failing listener has no effect", () => {
    const names: string[] = [];
    const onEvent = (event: PromptEvent) => {
      names.push(event.type);
      return Promise.reject(new Error("late"));
    };
    expect(() => openSections(start(), input("skills.naming"), { rerender: true, onEvent })).toThrow(
      VisibilityExpansionRequired,
    );
    expect(names).toEqual(["SkillExpanded"]);
  });
});

test("render rejects an unknown key in 'open'", () => {
  const whole = new Prompt(new PromptTemplate({ ns: "demo", key: "open", sections: [notes] }));
  expect(() => whole.render({ open: ["note"] })).toThrow("There is no section 'note'. Sections: notes.");
  expect(whole.render({ open: ["notes"] }).summarised).toEqual([]);
});
