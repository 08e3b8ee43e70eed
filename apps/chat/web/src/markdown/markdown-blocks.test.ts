import { globSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "./markdown-blocks.ts";

const PROJECT = new URL("../../../../../", import.meta.url).pathname;

/** React would move the links that preload images. */
const OPTIONS = { remarkPlugins: [remarkGfm], components: { img: "i" as const } };

/** Without whitespace, because the one between blocks is not shown. */
function render(text: string): string {
  const html = renderToStaticMarkup(createElement(ReactMarkdown, OPTIONS, text));
  return html.replaceAll(/\s+/g, "");
}

function renderBlocks(text: string): string {
  return splitMarkdown(text).blocks.map(render).join("");
}

describe("splitting", () => {
  const files = globSync(["docs/**/*.md", "*.md", ".skills/**/*.md", "packages/skillset/skills/**/*.md"], {
    cwd: PROJECT,
  });

  test("the files of the project are rendered the same in blocks as in one piece", () => {
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) {
      const text = readFileSync(`${PROJECT}${file}`, "utf8");
      expect(renderBlocks(text) === render(text), file).toBe(true);
    }
  });

  test.each([
    ["a loose list", "- one\n\n  more\n\n- two\n\nAfter."],
    ["an ordered list with code", "1. one\n\n   ```sh\n   a\n\n   b\n   ```\n\n2. two\n\ntext"],
    ["code with blank lines and markers", "```md\n# not a title\n\n- not a list\n\n[^1]: not a note\n```\n\nAfter."],
    ["code in a fence of tildes", "~~~\n```\n\na\n~~~\n\nb"],
    ["code that never ends", "text\n\n```js\na\n\nb\n\nc"],
    ["a fence that ends a list", "- a\n```\nb\n\nc\n```\n\nd"],
    ["a quote with a gap", "> a\n\n> b\n\nc"],
    ["HTML with blank lines", "<pre>\na\n\n# b\n</pre>\n\nc"],
    ["a comment with blank lines", "<!-- a\n\n# b -->\n\nc"],
    [
      "links defined at the end",
      "See [the page][one] and [two].\n\nMore [two].\n\n[one]: https://example.com/1\n[two]: https://example.com/2",
    ],
    ["links defined at the start", "[one]: https://example.com\n\nSee [one].\n\nAnd [one] again."],
    ["tables, titles and rules", "Title\n=====\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n---\n\n***\n\ntext"],
    ["indented code", "text\n\n    code\n\n    more\n\ntext"],
    ["Windows line ends", "a\r\n\r\n- b\r\n- c\r\n\r\nd"],
    ["blank lines at both ends", "\n\n\na\n\nb\n\n\n"],
    ["nothing", ""],
  ])("%s is rendered the same in blocks as in one piece", (_, text) => {
    expect(renderBlocks(text)).toBe(render(text));
  });

  test("every start of a text is rendered the same in blocks as in one piece, as an answer that grows", () => {
    const text = readFileSync(`${PROJECT}docs/chat.md`, "utf8").slice(0, 3_000);
    for (let end = 0; end < text.length; end += 41) {
      expect(renderBlocks(text.slice(0, end))).toBe(render(text.slice(0, end)));
    }
  });

  test("blocks that ended do not change when text is added", () => {
    const text = readFileSync(`${PROJECT}docs/chat.md`, "utf8").slice(0, 9_000);
    let before = splitMarkdown("").blocks;
    for (let end = 0; end < text.length; end += 11) {
      const { blocks } = splitMarkdown(text.slice(0, end));
      expect(blocks.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = blocks;
    }
    expect(before.length).toBeGreaterThan(15);
  });
});

describe("footnotes", () => {
  const TEXT =
    "One[^b] and two[^A].\n\nAgain[^b].\n\n[^a]: The *first*.\n\n    Its second paragraph.\n[^b]: The other.\n[^c]: Unused.";

  test("are numbered by their first use, and unused ones are left out", () => {
    expect(splitMarkdown(TEXT).footnotes).toEqual([
      { label: "b", text: "The other." },
      { label: "a", text: "The *first*.\n\nIts second paragraph." },
    ]);
  });

  test("are references in each block that uses them", () => {
    const { blocks } = splitMarkdown(TEXT);
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(render(block)).toContain("data-footnote-ref");
  });
});
