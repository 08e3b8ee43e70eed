import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { fillChat } from "./fill-chat.ts";
import { expectText } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { findInPage, isSeen, onElement, scrollTop, topOf } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const SKILLS = 150;
const QUESTIONS = 20;
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
let longChat: string;

beforeAll(async () => {
  const steps: ScriptStep[] = Array.from({ length: QUESTIONS }, (_, at) => ({
    say: `## Answer ${at}\n\nSome **bold** words.\n\n- one\n- two\n\n\`\`\`js\nlet a = ${at};\n\`\`\``,
  }));
  model = await startQueuedModel(steps);
  const skills = Object.fromEntries(
    Array.from({ length: SKILLS }, (_, at) => {
      const name = `skill-${String(at).padStart(3, "0")}`;
      return [`${name}/SKILL.md`, skillMd(name, `Does thing ${at}. Use when asked for thing ${at}.`)];
    }),
  );
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, skills })]);
  longChat = await fillChat(
    chat.url,
    Array.from({ length: QUESTIONS }, (_, at) => `Question ${at}?`),
  );
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** Waits until the rows or messages near the visible part are drawn, and none is drawn any more. */
const settled =
  "new Promise((done) => requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(done))))";

describe("a long list of skills", () => {
  test("draws the rows near the visible part in full, and has the text of all", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const rows = page.locator(".skill-table tbody tr");
    await expect.poll(() => rows.count()).toBe(SKILLS);
    expect(await rows.locator(".badge").count()).toBeLessThan(60);
    // The browser's own search finds text that is far below.
    expect(await findInPage(page, "Does thing 130")).toBe(true);
    await expect.poll(() => rows.nth(130).locator(".badge").count()).toBe(1);
    await expect.poll(() => isSeen(rows.nth(130).locator(".badge"))).toBe(true);
  });

  test("keeps its place while rows are drawn, and the keyboard reaches every row", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const row = page.getByRole("rowheader", { name: "skill-080" });
    await row.waitFor();
    await onElement(row, "element.scrollIntoView({ block: 'center' })");
    const before = await topOf(row);
    await expect.poll(() => page.locator("tr", { has: row }).locator(".badge").count()).toBe(1);
    await page.evaluate(settled);
    expect(Math.abs((await topOf(row)) - before)).toBeLessThan(2);
    await row.getByRole("link").focus();
    for (const next of ["skill-081", "skill-082"]) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe(next);
    }
  });

  test("has the same filter and place after a visit to a skill", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const rows = page.locator(".skill-table tbody tr");
    await page.getByLabel("Filter skills").fill("skill-1");
    await expect.poll(() => rows.count()).toBe(50);
    const row = page.getByRole("link", { name: "skill-140" });
    await onElement(row, "element.scrollIntoView({ block: 'center' })");
    await page.evaluate(settled);
    const [place, top] = [await scrollTop(page.locator(".page.scroll")), await topOf(row)];
    expect(place).toBeGreaterThan(1_000);
    for (const goBack of [() => page.goBack(), () => page.getByRole("link", { name: "All skills" }).click()]) {
      await row.click();
      await page.getByRole("heading", { name: "skill-140", level: 1 }).waitFor();
      await goBack();
      await row.waitFor();
      expect(await page.getByLabel("Filter skills").inputValue()).toBe("skill-1");
      await expect.poll(async () => Math.abs((await topOf(row)) - top)).toBeLessThan(2);
    }
  });
});

describe("a long chat", () => {
  test("opens at its end, with far messages as text that the browser's own search finds", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto(longChat);
    const messages = page.locator(".message");
    await expect.poll(() => messages.count()).toBe(2 * QUESTIONS);
    await expect
      .poll(() => isSeen(page.getByRole("heading", { name: `Answer ${QUESTIONS - 1}`, exact: true })))
      .toBe(true);
    expect(await page.locator(".message .code-block").count()).toBeLessThan(QUESTIONS);
    expect(await findInPage(page, "Question 3?")).toBe(true);
    await expect.poll(() => isSeen(page.getByText("Question 3?", { exact: true }))).toBe(true);
    await expect.poll(() => page.getByRole("heading", { name: "Answer 3", exact: true }).count()).toBe(1);
  });

  test("keeps its place while messages above are drawn", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto(longChat);
    // The item itself stays when its content is drawn.
    const question = page.locator(".message").filter({ hasText: "Question 10?" });
    await question.waitFor();
    await onElement(question, "element.scrollIntoView({ block: 'center' })");
    const before = await topOf(question);
    await expect.poll(() => page.getByRole("heading", { name: "Answer 9", exact: true }).count()).toBe(1);
    await page.evaluate(settled);
    expect(Math.abs((await topOf(question)) - before)).toBeLessThan(2);
  });
});

describe("the list of chats", () => {
  test("shows the current chat, however far down it is", async () => {
    for (let count = 0; count < 25; count++) await fillChat(chat.url, []);
    const page = await openPage(browser, chat.url, { viewport: { width: 1280, height: 500 } });
    await page.goto(longChat);
    const current = page.getByRole("navigation", { name: "Chats" }).locator(".chat-row", {
      has: page.locator("[aria-current]"),
    });
    await current.waitFor();
    await expect.poll(() => isSeen(current)).toBe(true);
  });

  test("says only that the search took too long if none was found in time", async () => {
    const page = await openPage(browser, chat.url);
    await page.route("**/api/chats?query=*", (route) => route.fulfill({ json: { chats: [], isPartial: true } }));
    await page.goto("/");
    await page.getByLabel("Search chats").fill("e");
    const hints = page.getByRole("navigation", { name: "Chats" }).locator(".hint");
    await expect.poll(() => hints.allInnerTexts()).toEqual(["The search took too long. Try a longer text."]);
  });

  test("stays while a search is running", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    const list = page.getByRole("navigation", { name: "Chats" });
    await list.getByRole("link").nth(5).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/chats?query=*", async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest("**/api/chats?query=*");
    await page.getByLabel("Search chats").pressSequentially("Question");
    await asked;
    expect(await list.getByRole("link").count()).toBeGreaterThan(5);
    expect(await isSeen(list.locator(".chat-row").first())).toBe(true);
    release();
    await expect.poll(() => list.getByRole("link").count()).toBe(1);
    await expectText(list, "Question");
  });
});
