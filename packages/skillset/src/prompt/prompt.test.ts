import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { PromptValidationError } from "../core/base/errors.ts";
import { defineTool } from "../core/tool/tool.ts";
import { Prompt } from "./prompt.ts";
import { PromptTemplate } from "./prompt-template.ts";
import { MarkdownSection, type MarkdownSectionOptions } from "./section/markdown-section.ts";
import type { Section } from "./section/section.ts";

const section = (key: string, more: Partial<MarkdownSectionOptions> = {}) =>
  new MarkdownSection({ title: key, key, template: `About ${key}.`, ...more });
const prompt = (...sections: Section[]) => new Prompt(new PromptTemplate({ ns: "demo", key: "test", sections }));
const text = (...sections: Section[]) => prompt(...sections).render().text;

describe("the text", () => {
  test("has a heading for each section, by depth, and the filled template below it", () => {
    const task = section("task", {
      template: `
        Review $path.

          indented
      `,
      children: [section("style", { children: [section("names")] })],
    });
    expect(prompt(task, section("end")).bind({ path: "src/" }).render().text).toBe(
      "## task\n\nReview src/.\n\n  indented\n\n### style\n\nAbout style.\n\n#### names\n\nAbout names.\n\n## end\n\nAbout end.",
    );
  });

  test("has at most six '#' in a heading", () => {
    let inner = section("k8");
    for (let depth = 7; depth > 0; depth--) inner = section(`k${depth}`, { children: [inner] });
    expect(text(inner)).toContain("\n\n###### k8\n\n");
    expect(text(inner)).not.toContain("#######");
  });

  test("keeps backticks, tags and '$' in values unchanged", () => {
    const body = "Use `x`, <b>bold</b>, </available_skills> and ```\n$code\n```";
    const code = "`$HOME` <script> $$";
    expect(
      prompt(section("task", { template: body }))
        .bind({ code })
        .render().text,
    ).toBe(`## task\n\n${body.replace("$code", () => code)}`);
  });

  test("omits an empty section, including its heading", () => {
    expect(text(section("empty", { template: "  " }), section("full"))).toBe("## full\n\nAbout full.");
  });

  test("of ten thousand sections is rendered before the deadline", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => section(`s${index}`));
    const rendered = prompt(...many).render({ open: ["s9999"] });
    expect(rendered.sections.size).toBe(10_000);
    expect(rendered.textOf("s9999")).toBe("## s9999\n\nAbout s9999.");
  });
});

describe("enabled sections", () => {
  const template = new PromptTemplate({
    ns: "demo",
    key: "test",
    params: z.object({ language: z.enum(["python", "typescript"]) }),
    sections: [
      section("python", { enabled: ({ language }) => language === "python", children: [section("pep8")] }),
      section("typescript", { enabled: ({ language }) => language === "typescript" }),
    ],
  });

  test("follow the parameters, including their subsections", () => {
    const bound = new Prompt(template).bind({ language: "python" });
    expect([...bound.render().sections.keys()].sort()).toEqual(["python", "python.pep8"]);
    expect([...bound.bind({ language: "typescript" }).render().sections.keys()]).toEqual(["typescript"]);
    expectTypeOf(bound.bind).parameter(0).toEqualTypeOf<{ language: "python" | "typescript" }>();
  });

  test("parameters are validated when they are bound", () => {
    expect(() => new Prompt(template).bind({ language: "cobol" as never })).toThrow(
      "The parameters of prompt 'demo/test' are invalid: language:",
    );
  });

  test("rendering a prompt without its required parameters throws", () => {
    expect(() => new Prompt(template).render()).toThrow(PromptValidationError);
  });

  test("an asynchronous schema is rejected", () => {
    const slow = new PromptTemplate({ ns: "a", key: "b", sections: [], params: z.object({}).refine(async () => true) });
    expect(() => new Prompt(slow).bind({})).toThrow();
  });
});

describe("binding", () => {
  test("returns a new prompt, which later changes to the object do not affect", () => {
    const params = { who: "Ann" };
    const first = prompt(section("hi", { template: "Hello $who" }));
    const bound = first.bind(params);
    params.who = "Bob";
    expect(first.params).toBeUndefined();
    expect(bound.render().text).toContain("Hello Ann");
    expect(bound.bind({ who: "Cy" }).render().text).toContain("Hello Cy");
    expect(Object.isFrozen(bound)).toBe(true);
  });

  test("keeps class instances, for predicates that call their methods", () => {
    class Review {
      readonly language = "python";
      isPython() {
        return this.language === "python";
      }
    }
    const bound = prompt(section("py", { template: "In $language", enabled: (p) => p.isPython() })).bind(new Review());
    expect(bound.render().text).toContain("In python");
  });

  test("default parameters of a section apply to it and its subsections unless they are bound", () => {
    const hi = section("hi", {
      template: "$who",
      defaultParams: { who: "you", from: "me" },
      children: [section("in", { template: "$from" })],
    });
    expect(prompt(hi).bind({ who: "Ann" }).render().text).toBe("## hi\n\nAnn\n\n### in\n\nme");
  });

  test.each([null, [], "text", 7])("%o is not an object of parameters", (params) => {
    expect(() => prompt(section("a")).bind(params)).toThrow("must be an object");
  });
});

describe("overrides", () => {
  test.each([
    ["notes", "$ 5", "has a '$' without a name"],
    ["notes", "$missing", "requires a value for '$missing'"],
    ["notes.inner", "$missing", "requires a value for '$missing'"],
  ])("of '%s' with '%s' are rejected immediately, even if the section is summarised", (key, template, message) => {
    const notes = section("notes", { summary: "Some", visibility: "summary", children: [section("inner")] });
    expect(() => prompt(notes).render({ overrides: { [key]: template } })).toThrow(message);
    expect(prompt(notes).render({ overrides: { [key]: "Fine" } }).text).toContain("Some");
    const off = section("notes", { summary: "Some", visibility: "summary", enabled: () => false });
    expect(prompt(off).render({ overrides: { notes: template } }).text).toBe("");
  });

  const task = section("task", { template: "Old $who", children: [section("sealed", { acceptsOverrides: false })] });

  test("replace the template of one section, and are templates themselves", () => {
    const overrides = { task: "\n  New $who\n    line\n" };
    expect(prompt(task).bind({ who: "Ann" }).render({ overrides }).text).toContain("## task\n\nNew Ann\n  line\n\n###");
    expect(() =>
      prompt(task)
        .bind({ who: "Ann" })
        .render({ overrides: { task: "$whom" } }),
    ).toThrow("'$whom'");
  });

  test("are rejected by sections that do not accept them, and for unknown keys", () => {
    const bound = prompt(task).bind({ who: "Ann" });
    expect(() => bound.render({ overrides: { "task.sealed": "x" } })).toThrow(
      "Section 'task.sealed' accepts no overrides: its 'acceptsOverrides' is false.",
    );
    expect(() => bound.render({ overrides: { sealed: "x" } })).toThrow(
      "There is no section 'sealed'. Sections: task, task.sealed.",
    );
    expect(() => bound.render({ overrides: JSON.parse('{"__proto__":"x"}') })).toThrow("no section '__proto__'");
    expect(() => bound.render({ overrides: { task: 7 as never } })).toThrow("must be a string");
  });
});

describe("keys", () => {
  test("are dotted paths, so the same key can occur in two places", () => {
    const tree = prompt(section("a", { children: [section("x")] }), section("b", { children: [section("x")] }));
    expect([...tree.render().sections.keys()].sort()).toEqual(["a", "a.x", "b", "b.x"]);
  });

  test("must be unique among siblings; the error contains both titles", () => {
    expect(() => prompt(section("a", { title: "First" }), section("a", { title: "Second" }))).toThrow(
      "Two sections have the key 'a': 'First' and 'Second'.",
    );
  });

  test.each(["", "a.b", "a b", "a/b", "x".repeat(65), 7])("%o is not a valid key", (key) => {
    expect(() => section(key as string)).toThrow("A section key must be 1 to 64 letters");
  });

  test.each(["__proto__", "constructor", "hasOwnProperty"])("%s is a valid key", (key) => {
    const rendered = prompt(section(key), section("other")).render({ overrides: JSON.parse(`{"${key}":"Mine"}`) });
    expect(rendered.text).toBe(`## ${key}\n\nMine\n\n## other\n\nAbout other.`);
  });

  test("have a nesting limit", () => {
    let inner = section("k");
    for (let depth = 0; depth < 20; depth++) inner = section("k", { children: [inner] });
    expect(() => prompt(inner)).toThrow("Sections can be nested up to 16 levels");
  });
});

test.each([
  [{ title: " " }, "requires a title of one line"],
  [{ title: "a\n# b" }, "requires a title of one line"],
  [{ template: 7 as never }, "requires a template: a string"],
  [{ template: "costs $5" }, "has a '$' without a name"],
  [{ visibility: "hidden" as never }, "must be 'full' or 'summary'"],
  [{ visibility: "summary" as const }, "but no summary"],
])("a section with %o throws in the constructor", (change, message) => {
  expect(() => section("a", change)).toThrow(message);
});

test("two tools with one name are rejected with both places; one tool may be in two sections", () => {
  const lint = defineTool({ name: "lint", description: "Lints.", handler: () => "ok" });
  const other = defineTool({ name: "lint", description: "Lints too.", handler: () => "ok" });
  expect(() => prompt(section("a", { tools: [lint] }), section("b", { tools: [other] }))).toThrow(
    "Sections 'a' and 'b' have different tools called 'lint'.",
  );
  const both = prompt(section("a", { tools: [lint] }), section("b", { tools: [lint] })).render();
  expect(both.tools.map(({ name, section: key }) => [name, key])).toEqual([["lint", "a"]]);
});

test.each([
  { ns: "", key: "k" },
  { ns: "n", key: " " },
  { ns: "n", key: 7 as never },
])("a prompt requires a namespace and a key: %o", (names) => {
  expect(() => new PromptTemplate({ ...names, sections: [] })).toThrow("A prompt requires");
});

test.each(["open", "enabledSkills", "installed"] as const)(
  "%s must be an array of names, not a string",
  async (option) => {
    const one = prompt(section("a"));
    for (const [wrong, message] of [
      ["abc", `'${option}' must be an array of names; got the string 'abc'. Write ["abc"].`],
      [7, `'${option}' must be an array of names; got 7.`],
      [["a", 7], `'${option}' must be an array of names; got ["a",7].`],
    ] as const) {
      expect(() => one.render({ [option]: wrong as never })).toThrow(message);
      if (option === "enabledSkills")
        await expect(one.installAllSkills({ skillsDir: "/none", enabledSkills: wrong as never })).rejects.toThrow(
          message,
        );
    }
    for (const right of [["a"], new Set(["a"])]) expect(() => one.render({ [option]: right })).not.toThrow();
  },
);
