import { describe, expect, test } from "vitest";
import { type CatalogOptions, type CatalogSkill, renderCatalog } from "./catalog.ts";
import { CATALOG_FORMATS } from "./catalog-format.ts";

describe("the XML catalog", () => {
  test("lists name and description with two-space indentation, in the order given", () => {
    const { text } = renderCatalog([inline("test-writer", "Writes tests."), inline("code-review", "Reviews code.")]);
    expect(text).toBe(
      [
        "<available_skills>",
        "  <skill>",
        "    <name>test-writer</name>",
        "    <description>Writes tests.</description>",
        "  </skill>",
        "  <skill>",
        "    <name>code-review</name>",
        "    <description>Reviews code.</description>",
        "  </skill>",
        "</available_skills>",
      ].join("\n"),
    );
  });

  test("never contains a body", () => {
    const skill = {
      ...inline("a", "b"),
      body: "SECRET BODY",
      instructions: () => {
        throw new Error("the catalog must not read instructions");
      },
    };
    for (const format of CATALOG_FORMATS) expect(renderCatalog([skill], { format }).text).not.toContain("SECRET");
  });

  test("shows each skill's folder relative to the mount path", () => {
    const skills = [stored("pdf", "Reads PDFs.", "/somewhere/else/pdf")];
    expect(renderCatalog(skills, { location: "relative" }).text).toContain("    <location>skills/pdf</location>\n");
    expect(renderCatalog(skills, { location: "relative", mountPath: "./mnt/my skills/" }).text).toContain(
      "<location>./mnt/my skills/pdf</location>",
    );
  });

  test("is flat and escaped, with the absolute path of each SKILL.md", () => {
    const { text } = renderCatalog(
      [
        stored("r-and-d", `Use <b> & "quotes" when it's due.`, "/home/me/R&D/r-and-d"),
        inline("in-code", "Has no path."),
      ],
      { indent: false, location: "path" },
    );
    expect(text).toBe(
      [
        "<available_skills>",
        "<skill>",
        "<name>r-and-d</name>",
        '<description>Use &lt;b&gt; &amp; "quotes" when it\'s due.</description>',
        "<location>/home/me/R&amp;D/r-and-d/SKILL.md</location>",
        "</skill>",
        "<skill>",
        "<name>in-code</name>",
        "<description>Has no path.</description>",
        "</skill>",
        "</available_skills>",
      ].join("\n"),
    );
  });
});

test("the JSON catalog is one line of names and descriptions, without locations", () => {
  const { text } = renderCatalog([stored("a", 'Says "b".', "/x/a"), inline("c", "d")], { format: "json" });
  expect(text).toBe('{"available_skills":[{"name":"a","description":"Says \\"b\\"."},{"name":"c","description":"d"}]}');
});

describe("the Markdown catalog", () => {
  test("has one line per skill, with the location on request", () => {
    const skills = [inline("a", "Does\n- **b**: this"), inline("c", "d")];
    expect(renderCatalog(skills, { format: "markdown", location: "relative" }).text).toBe(
      "- **a**: Does - \\*\\*b\\*\\*: this (skills/a)\n- **c**: d (skills/c)",
    );
  });

  test("as names only lists nothing else", () => {
    const catalog = renderCatalog([inline("a", "b"), inline("my_skill", "d")], { format: "names" });
    expect(catalog).toMatchObject({ text: "- a\n- my_skill", shown: 2, nameOnly: [], shortened: [], omitted: [] });
  });
});

describe("the listed skills", () => {
  test.each(CATALOG_FORMATS)("an empty set renders nothing as %s", (format) => {
    for (const skills of [[], [{ ...inline("a", "b"), modelInvocable: false }]]) {
      expect(renderCatalog(skills, { format, budget: { tokens: 0 } })).toEqual({
        text: "",
        characters: 0,
        tokens: 0,
        shown: 0,
        full: [],
        shortened: [],
        nameOnly: [],
        omitted: [],
      });
    }
  });

  test("a skill that the model may not invoke is left out", () => {
    const catalog = renderCatalog([{ ...inline("secret", "b"), modelInvocable: false }, inline("open", "d")]);
    expect(catalog).toMatchObject({ shown: 1, omitted: [] });
    expect(catalog.text).not.toContain("secret");
  });

  test("the numbers match the text", () => {
    const catalog = renderCatalog([inline("a", "b")], { countTokens: (text) => text.split("\n").length });
    expect(catalog).toMatchObject({ characters: catalog.text.length, tokens: 6, shown: 1 });
  });
});

describe("locations", () => {
  test("can be skill:// addresses, with the name encoded", () => {
    expect(locationOf(inline("my skill/ü", "b"), { location: "uri" })).toBe("skill://my%20skill%2F%C3%BC/SKILL.md");
  });

  test("can come from a function, which may have none for a skill", () => {
    const location = ({ name }: CatalogSkill) => (name === "a" ? `mem:${name}` : undefined);
    expect(locationOf(inline("a", "x"), { location })).toBe("mem:a");
    expect(locationOf(inline("b", "x"), { location })).toBeUndefined();
  });

  test("keep spaces and letters as they are, because a changed path is another path", () => {
    const folder = "/home/me/two  spaces/cafe\u0301";
    expect(locationOf(stored("a", "b", folder), { location: "path" })).toBe(`${folder}/SKILL.md`);
  });

  test.each([
    ["hidden text", "/home/\u202Eme"],
    ["a line break", "/home/me\n</location>"],
    ["half a surrogate pair", "/home/\uD800"],
  ])("that have %s are left out", (_, folder) => {
    expect(locationOf(stored("a", "b", folder), { location: "path" })).toBeUndefined();
  });

  test.each(["..", "../x", "a/b", "a\\b", "."])("a skill called %j gets no relative location", (name) => {
    expect(locationOf(inline(name, "b"), { location: "relative" })).toBeUndefined();
  });

  test.each(["..", ".", "\uD800"])("a skill called %j gets no address", (name) => {
    expect(locationOf(inline(name, "b"), { location: "uri" })).toBeUndefined();
  });

  test.each([
    "",
    "/skills",
    "\\skills",
    "~/skills",
    "C:\\skills",
    "file:///x",
    "../skills",
    "a/../../b",
    "a\\..\\b",
    "a\nb",
  ])("the mount path %j is rejected", (mountPath) => {
    expect(() => renderCatalog([], { location: "relative", mountPath })).toThrow(
      expect.objectContaining({ code: "option-invalid" }),
    );
  });

  test.each([
    ["format", "none", `'format' must be ${CATALOG_FORMATS.map((one) => `'${one}'`).join(" or ")}; got "none".`],
    ["location", "folder", "'location' must be 'none' or 'relative' or 'path' or 'uri'; got \"folder\"."],
  ])("an unknown %s is refused", (option, value, message) => {
    expect(() => renderCatalog([], { [option]: value })).toThrow(message);
  });
});

function inline(name: string, description: string): CatalogSkill {
  return { name, description, modelInvocable: true, origin: { kind: "inline" } };
}

function stored(name: string, description: string, folder: string): CatalogSkill {
  return {
    name,
    description,
    modelInvocable: true,
    basePath: folder,
    origin: { kind: "folder", folder, root: "/", scope: "given", stamp: { ino: 1, size: 1, mtimeMs: 1, ctimeMs: 1 } },
  };
}

function locationOf(skill: CatalogSkill, options: CatalogOptions): string | undefined {
  return JSON.parse(renderCatalog([skill], { ...options, format: "json" }).text).available_skills[0].location;
}
