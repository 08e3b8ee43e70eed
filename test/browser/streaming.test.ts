import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answered, composer, expectText, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type PacedModel, startPacedModel } from "./paced-model.ts";
import { onElement, topOf } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: PacedModel;
let chat: StartedChat;

beforeAll(async () => {
  model = await startPacedModel();
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

const BLOCKS = [
  "# A title",
  "A paragraph with **words**.",
  "- one\n- two",
  "```js\nlet a = 1;\n\nlet b = 2;\n```",
  "| a |\n| - |\n| 1 |",
];

/** Records every element that is added to or removed from the shown answer, as `added P` or `removed P`. */
async function recordChanges(page: Page): Promise<void> {
  await page.evaluate(`{
    window.changes = [];
    const note = (verb, nodes) => {
      for (const node of nodes) if (node.nodeType === 1) window.changes.push(verb + " " + node.nodeName);
    };
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) {
        note("added", addedNodes);
        note("removed", removedNodes);
      }
    }).observe(document.querySelector(".messages"), { childList: true, subtree: true });
  }`);
}

const takeChanges = (page: Page) => page.evaluate("window.changes.splice(0)") as Promise<string[]>;

describe("a streaming answer", () => {
  test("keeps the elements of its finished blocks while more text arrives", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await send(page, "Write.");
    await model.write(`${BLOCKS.join("\n\n")}\n\nNow `);
    await expectText(page.locator(".message.assistant"), /Now/);
    await onElement(page.locator(".message.assistant .markdown"), "window.before = [...element.children]");
    await recordChanges(page);
    for (const word of ["some", "more", "words"]) {
      await model.write(`${word} `);
      await expectText(page.locator(".message.assistant"), word);
    }
    expect(await takeChanges(page)).toEqual([]);
    await model.write("\n\nAnd a last paragraph.");
    await expectText(page.locator(".message.assistant"), "last paragraph");
    expect(await takeChanges(page)).toEqual(["added P"]);
    expect(
      await page.evaluate(
        "window.before.every((node, at) => document.querySelector('.markdown').children[at] === node)",
      ),
    ).toBe(true);
    await model.end();
    await answered(page);
  });

  test("parses a finished block no more, however much text follows", async () => {
    const page = await openPage(browser, chat.url);
    // Each parse splits its whole text into characters or lines somewhere; the mark is in the first block alone.
    await page.addInitScript(`{
      window.parses = 0;
      const { charCodeAt } = String.prototype;
      String.prototype.charCodeAt = function (at) {
        if (at === 0 && this.length > 40 && this.startsWith("UNIQUE-MARK")) window.parses++;
        return charCodeAt.call(this, at);
      };
    }`);
    await page.goto("/");
    await send(page, "Write.");
    await model.write("UNIQUE-MARK in a first paragraph that is longer than forty characters.\n\nThen ");
    await expectText(page.locator(".message.assistant"), "Then");
    const before = await page.evaluate("window.parses");
    expect(before).toBeGreaterThan(0);
    for (let count = 0; count < 20; count++) {
      await model.write(`word${count} `);
      await expectText(page.locator(".message.assistant"), `word${count}`);
    }
    expect(await page.evaluate("window.parses")).toBe(before);
    await model.end();
    await answered(page);
  });

  test("leaves earlier messages untouched when it starts and ends", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await send(page, "One.");
    await model.write("First answer.");
    await model.end();
    await answered(page);
    const first = page.locator(".message").nth(1);
    await onElement(
      first,
      `window.touched = 0;
      new MutationObserver((records) => (window.touched += records.length))
        .observe(element, { childList: true, subtree: true, attributes: true, characterData: true });`,
    );
    await send(page, "Two.");
    await model.write("Second answer.");
    await expectText(page.locator(".message").nth(3), "Second answer.");
    expect(await first.getByRole("button", { name: "Regenerate" }).count()).toBe(0);
    await model.end();
    await answered(page);
    await expect.poll(() => first.getByRole("button", { name: "Regenerate" }).count()).toBe(1);
    expect(await page.evaluate("window.touched")).toBe(0);
  });

  test("does not move what the user reads further up", async () => {
    const page = await openPage(browser, chat.url, { viewport: { width: 1280, height: 500 } });
    await page.goto("/");
    await send(page, "Write.");
    await model.write(Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join("\n\n"));
    await expectText(page.locator(".message.assistant"), "Paragraph 59.");
    const read = page.getByText("Paragraph 10.", { exact: true });
    await onElement(read, "element.scrollIntoView({ block: 'start' })");
    await page.getByRole("button", { name: "Jump to the latest message" }).waitFor();
    const before = await topOf(read);
    await model.write(`\n\n${BLOCKS.join("\n\n")}\n\nThe end.`);
    await expectText(page.locator(".message.assistant"), "The end.");
    expect(await topOf(read)).toBe(before);
    await model.end();
    await answered(page);
    expect(await topOf(read)).toBe(before);
    await composer(page).waitFor();
  });
});
