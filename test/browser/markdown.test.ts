import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { card, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { focused, isSeen, onElement } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const INSTRUCTIONS = `Follow [the checklist](references/checklist.md) and [the style](./style.md#tone).

Never [the secret](../secret.md), [the root](/etc/passwd) or [a script](javascript:alert(1)).
`;
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      skills: {
        "review/SKILL.md": skillMd("review", "Reviews code. Use when asked for a review.", INSTRUCTIONS),
        "review/references/checklist.md": "Check the tests.\n",
        "review/style.md": "Be kind.\n",
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** Opens a page with this answer. */
async function showAnswer(text: string): Promise<Page> {
  script.splice(0, script.length, { say: text });
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, "Write.");
  return page;
}

describe("a table", () => {
  test("keeps numbers on one line and aligns its columns", async () => {
    const cells = Array.from({ length: 9 }, (_, at) => `${at},234.50`).join(" | ");
    const page = await showAnswer(
      `| a long first column with many words in it | ${"n | ".repeat(9)}\n| :-: | ${"--: | ".repeat(9)}\n| words that may wrap | ${cells} |`,
    );
    const number = page.locator(".message td").nth(1);
    await number.waitFor();
    const lines = await onElement<number>(
      number,
      "const range = document.createRange(); range.selectNodeContents(element); return range.getClientRects().length",
    );
    expect(lines).toBe(1);
    const alignOf = (at: number) =>
      onElement<string>(page.locator(".message td").nth(at), "return getComputedStyle(element).textAlign");
    expect(await alignOf(0)).toBe("center");
    expect(await alignOf(1)).toMatch(/^(?:end|right)$/);
  });

  test("is no landmark, so that two tables are no violation", async () => {
    const page = await showAnswer("| a |\n| - |\n| 1 |\n\nand\n\n| b |\n| - |\n| 2 |");
    await page.locator("table").nth(1).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("footnotes", () => {
  test("lead to the notes at the end and back", async () => {
    const filler = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    const page = await showAnswer(
      `First[^a] and second[^b].\n\n${filler}\n\n[^b]: The second note.\n[^a]: The **first** note.`,
    );
    const reference = page.getByRole("link", { name: "Footnote 1", exact: true });
    const note = page.locator(".footnotes li").first();
    await expectText(note, /The first note/);
    await expectText(page.locator(".footnotes li").nth(1), /The second note/);
    await reference.click();
    await expect.poll(() => isSeen(note)).toBe(true);
    expect(await isSeen(reference)).toBe(false);
    const { pathname, hash } = new URL(page.url());
    expect([pathname.startsWith("/chat/"), hash]).toEqual([true, ""]);
    await note.getByRole("link").click();
    await expect.poll(() => isSeen(reference)).toBe(true);
    expect(await focused(page)).toBe("Footnote 1");
  });
});

describe("a task list", () => {
  test("has labelled boxes instead of bullets", async () => {
    const page = await showAnswer("- [x] written\n- [ ] checked");
    const item = page.locator(".task-list-item").first();
    await item.waitFor();
    expect(await onElement(item, "return getComputedStyle(element).listStyleType")).toBe("none");
    expect(await page.getByRole("checkbox", { name: "Done" }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: "To do" }).isChecked()).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("formulas", () => {
  test("are drawn, and code that looks like one is not", async () => {
    const page = await showAnswer(
      "So \\(a_1 * b_1\\) and $c_1 * d_1$ hold, not `\\(e\\)` for $5 or $6:\n\n\\[\\sum_{i} x_i\\]",
    );
    const answer = page.locator(".message.assistant .markdown");
    await expect.poll(() => answer.locator("math").count()).toBe(3);
    expect(await answer.locator("math[display=block]").count()).toBe(1);
    await expectText(answer.locator("code"), /^\\\(e\\\)$/);
    await expectText(answer, "for $5 or $6");
    expect(await axeViolations(page)).toEqual([]);
  });

  test("that are not valid, or contain links, are shown as they were written", async () => {
    const page = await showAnswer("Not \\(\\frac{1\\) and not \\(\\href{https://example.com}{x}\\), but \\(y\\).");
    const answer = page.locator(".message.assistant .markdown");
    await answer.locator("math").waitFor();
    await expectText(answer, "Not \\(\\frac{1\\) and not \\(\\href{https://example.com}{x}\\), but");
    expect(await answer.locator("a").count()).toBe(0);
  });
});

describe("a code block", () => {
  const LINES = ["const answer = 42; // a comment", `const long = "${"word ".repeat(60)}";`];

  test("is coloured without changing its elements, and only in a known language", async () => {
    const page = await showAnswer(`\`\`\`ts\n${LINES.join("\n")}\n\`\`\`\n\n\`\`\`klingon\nconst answer = 42;\n\`\`\``);
    await expect.poll(() => colouredWords(page)).toEqual(expect.arrayContaining(["const", "42"]));
    expect((await colouredWords(page)).filter((word) => word === "const")).toHaveLength(2);
    expect(await page.locator(".message.assistant pre code *").count()).toBe(0);
  });

  test("wraps long lines on request", async () => {
    const page = await showAnswer(`\`\`\`ts\n${LINES.join("\n")}\n\`\`\``);
    const code = page.locator(".message.assistant pre");
    const isScrolling = () => onElement<boolean>(code, "return element.scrollWidth > element.clientWidth");
    expect(await isScrolling()).toBe(true);
    await page.getByRole("button", { name: "Wrap lines", pressed: false }).click();
    expect(await isScrolling()).toBe(false);
    await page.getByRole("button", { name: "Wrap lines", pressed: true }).click();
    expect(await isScrolling()).toBe(true);
  });
});

/** The texts of all ranges that the browser colours. */
function colouredWords(page: Page): Promise<string[]> {
  return page.evaluate("[...CSS.highlights.values()].flatMap((ranges) => [...ranges].map(String))");
}

describe("links to the files of a skill", () => {
  test("open the file on the skill's page, and links out of the skill stay text", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/review");
    const instructions = page.locator(".instructions");
    await instructions.getByRole("link", { name: "the checklist" }).click();
    await expectText(page.getByRole("dialog", { name: "references/checklist.md" }), "Check the tests.");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("the checklist");
    await instructions.getByRole("link", { name: "the style" }).click();
    await expectText(page.getByRole("dialog", { name: "style.md" }), "Be kind.");
    await page.keyboard.press("Escape");
    expect(await instructions.getByRole("link").count()).toBe(2);
  });

  test("can be opened in a new tab", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/review");
    const address = await page.getByRole("link", { name: "the checklist" }).getAttribute("href");
    await page.goto(address ?? "");
    await expectText(page.getByRole("article", { name: "references/checklist.md" }), "Check the tests.");
  });

  test("open the file from the card of an activation, in the chat", async () => {
    const page = await openPage(browser, chat.url);
    script.splice(0, script.length, { say: "Reviewed." });
    await page.goto("/");
    await say(page, "/review this");
    const activation = card(page, "skills.activate", "review");
    await activation.getByRole("button", { expanded: false }).click();
    await activation.getByRole("link", { name: "the checklist" }).click();
    const dialog = page.getByRole("dialog", { name: "references/checklist.md" });
    await expectText(dialog, "Check the tests.");
    await expect.poll(() => isSeen(dialog)).toBe(true);
    expect(new URL(page.url()).pathname).toMatch(/^\/chat\//);
  });
});
