import { describe, expect, test } from "vitest";
import { parseSkillMd } from "../../core/manifest/parse.ts";
import { defineTool } from "../../core/tool/tool.ts";
import { Prompt } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { MarkdownSection } from "./markdown-section.ts";
import type { Section } from "./section.ts";
import { SkillSection, type SkillSectionOptions } from "./skill-section.ts";
import { SkillsSection } from "./skills-section.ts";

const lint = defineTool({ name: "lint_code", description: "Lints.", handler: () => "fine" });
const tests = defineTool({ name: "run_tests", description: "Runs tests.", handler: () => "green" });
const minimal = {
  name: "code-review",
  description: "Reviews code. Use when asked for a review.",
  title: "Code Review",
  template: "1. Read $path",
};
const review = (more: Partial<SkillSectionOptions> = {}) => new SkillSection({ ...minimal, ...more });
const render = (section: Section, options = {}) =>
  new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [section] })).bind({ path: "src" }).render(options);

describe("SkillSection", () => {
  test("has the documented fields, and is frozen", () => {
    const skill = review({ key: "review", tools: [lint], summary: "Short", defaultParams: { path: "." } });
    expect(skill).toMatchObject({ ...minimal, key: "review", acceptsOverrides: true, summary: "Short", children: [] });
    expect(skill.tools).toEqual([lint]);
    expect(Object.isFrozen(skill)).toBe(true);
  });

  test("its key defaults to its name", () => {
    expect(review().key).toBe("code-review");
  });

  test("enabled(params) decides whether it is included", () => {
    expect(render(review({ enabled: ({ path }) => path === "lib" })).text).toBe("");
    expect(render(review({ enabled: ({ path }) => path === "src" })).text).not.toBe("");
  });
});

test.each(["-code", "code-", "co--de", "Code", "co de", "", "x".repeat(65), "code/review", "__proto__", 7, undefined])(
  "%o is not a valid skill name",
  (name) => {
    expect(() => review({ name: name as string })).toThrow(
      expect.objectContaining({ name: "PromptValidationError", code: "prompt-invalid" }),
    );
  },
);

test.each([
  "Uses <b>tags</b>.",
  "Ends </available_skills> it.",
  "A <!-- comment -->.",
  "<?xml?>",
  "<x>",
  "<a href='x'>",
])("%j contains a tag", (description) => {
  expect(() => review({ description })).toThrow("contains the tag '<");
});

test.each(["When a < b and b > c.", "For x<y.", "Uses `code` and *stars* & $HOME."])(
  "%j is plain text, and is shown unchanged in the summary",
  (description) => {
    expect(render(review({ description })).text).toContain(`[Skill: code-review] ${description}\n`);
  },
);

test.each(["", "  ", "x".repeat(1025)])("a description must have 1 to 1,024 characters", (description) => {
  expect(() => review({ description })).toThrow("Invalid skill 'code-review'");
});

test.each([
  [{ title: " " }, "requires a title"],
  [{ template: " \n " }, "requires a non-empty template"],
  [{ template: undefined as never }, "requires a template"],
])("%o is rejected", (change, message) => {
  expect(() => review(change)).toThrow(message);
});

describe("a skill is summarised by default", () => {
  test("with its name and description, and how to open it, in the documented format", () => {
    const section = new SkillsSection({ skills: [review({ tools: [lint, tests] })] });
    expect(render(section).text).toBe(
      [
        "## Skills",
        "",
        "### Code Review",
        "",
        "[Skill: code-review] Reviews code. Use when asked for a review.",
        "",
        "---",
        '[This skill is summarized. Call `open_sections` with key "skills.code-review"',
        "to view full workflow and access tools: lint_code, run_tests.]",
      ].join("\n"),
    );
  });

  test("without tools, the summary does not mention tools", () => {
    expect(render(review()).text).toMatch(/key "code-review"\nto view full workflow\.\]$/);
  });

  test("a custom summary is a template", () => {
    expect(render(review({ summary: "For $path" })).text).toContain("## Code Review\n\nFor src\n\n---\n[This skill");
  });

  test("the visibility can be full, or depend on the parameters", () => {
    expect(render(review({ visibility: "full" })).text).toBe("## Code Review\n\n1. Read src");
    const visibility = ({ path }: { path: string }) => (path === "src" ? "full" : "summary");
    expect(render(review({ visibility: visibility as never })).summarised).toEqual([]);
    expect(() => render(review({ visibility: () => "hidden" as never }))).toThrow("must be 'full' or 'summary'");
  });

  test("the subsections of a summarised skill are hidden until it is opened", () => {
    const child = new MarkdownSection({ title: "Steps", key: "steps", template: "One", tools: [lint] });
    const skill = review({ children: [child] });
    expect(render(skill).text).toContain("access tools: lint_code.]");
    expect(render(skill).text).not.toContain("Steps");
    expect(render(skill, { open: ["code-review"] }).text).toBe("## Code Review\n\n1. Read src\n\n### Steps\n\nOne");
  });

  test("a description with line breaks is one line in the summary", () => {
    expect(render(review({ description: "One\n# two" })).text).toContain("[Skill: code-review] One # two\n");
  });
});

describe("toSkillMd", () => {
  test("is frontmatter and filled template", () => {
    expect(review().toSkillMd({ path: "src" })).toBe(
      "---\nname: code-review\ndescription: Reviews code. Use when asked for a review.\n---\n\n1. Read src\n",
    );
  });

  test.each(["Says: no, #1 'quoted' \"twice\"", "- a list\n  and: more", "yes", "0x10", "Ä 😀 \\ % @ `"])(
    "%j round-trips as a description",
    (description) => {
      const md = review({ description, template: "# Body\n---\nname: other" }).toSkillMd();
      expect(parseSkillMd(md, { policy: "strict", folder: "code-review" })).toMatchObject({
        name: "code-review",
        description,
        body: "# Body\n---\nname: other",
      });
    },
  );

  test("has its enabled subsections in full", () => {
    const child = (key: string, more = {}) =>
      new MarkdownSection({ title: key, key, template: `About ${key}`, ...more });
    const skill = review({
      children: [
        child("a", { visibility: "summary", summary: "Short", children: [child("deep")] }),
        child("b", { enabled: () => false }),
      ],
    });
    expect(parseSkillMd(skill.toSkillMd({ path: "x" })).body).toBe(
      "1. Read x\n\n## a\n\nAbout a\n\n### deep\n\nAbout deep",
    );
  });

  test("reports missing parameters", () => {
    expect(() => review().toSkillMd()).toThrow("Section 'code-review' requires a value for '$path'");
  });
});

test("a skill has tools if it or a subsection does", () => {
  const child = new MarkdownSection({ title: "In", key: "in", template: "x", tools: [lint] });
  expect(review().hasTools).toBe(false);
  expect(review({ tools: [lint] }).hasTools).toBe(true);
  expect(review({ children: [child] }).hasTools).toBe(true);
});
