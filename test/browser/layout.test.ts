import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { answered, composer, expectText, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { isSeen, onElement, scrollTop, topOf } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const LONG = Array.from({ length: 80 }, (_, line) => `Paragraph ${line}.`).join("\n\n");
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  const skills = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`skill-${at}/SKILL.md`, skillMd(`skill-${at}`, "Fills the page.", LONG)]),
  );
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

async function openScripted(...steps: readonly ScriptStep[]): Promise<Page> {
  script.splice(0, script.length, ...steps);
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  return page;
}

describe("the window", () => {
  test.each(["/skills", "/skills/skill-1"])("never scrolls on %s, by wheel or by keys", async (path) => {
    const page = await openPage(browser, chat.url);
    await page.goto(path);
    await page.locator(".skill-table, .instructions").first().waitFor();
    const header = page.locator(".page-header");
    const { x, y } = { x: 60, y: 700 };
    await page.mouse.move(x, y);
    for (const key of ["PageDown", "End"]) {
      await page.mouse.wheel(0, 2_000);
      await header.click({ position: { x: 200, y: 20 } });
      await page.keyboard.press(key);
    }
    // A scroll that was asked for here would happen in the next frames.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.evaluate("document.scrollingElement.scrollTop")).toBe(0);
    expect(await page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")).toBe(true);
    expect(await isSeen(header)).toBe(true);
  });

  test("never scrolls in a long chat", async () => {
    const page = await openScripted({ say: LONG });
    await say(page, "Write a lot.");
    await page.mouse.move(60, 700);
    await page.mouse.wheel(0, 2_000);
    expect(await page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")).toBe(true);
    expect(await isSeen(page.locator(".composer"))).toBe(true);
  });
});

describe("an error", () => {
  test("is in view after a long answer, and while the user reads further up", async () => {
    const page = await openScripted(
      { say: LONG },
      { fail: { status: 400, message: "The model is asleep." } },
      { fail: { status: 400, message: "The model is still asleep." } },
    );
    await say(page, "Write a lot.");
    await send(page, "Write more.");
    const alert = page.locator(".conversation").getByRole("alert");
    await expectText(alert, "The model is asleep.");
    await expect.poll(() => isSeen(alert)).toBe(true);
    await page.locator(".message").first().scrollIntoViewIfNeeded();
    const before = await topOf(page.locator(".message").first());
    await expect.poll(() => isSeen(alert)).toBe(true);
    expect(await topOf(page.locator(".message").first())).toBe(before);
  });
});

describe("the menu of a chat", () => {
  test("is shown whole for the last chat of a long list, and its entries can be clicked", async () => {
    const page = await openPage(browser, chat.url, { viewport: { width: 1280, height: 420 } });
    for (let count = 0; count < 12; count++) {
      await fetch(`${chat.url}/api/chats`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
    }
    await page.goto("/");
    const list = page.getByRole("navigation", { name: "Chats" });
    await list.getByRole("link").nth(11).waitFor();
    await onElement(list, "element.scrollTo(0, element.scrollHeight)");
    await list.getByRole("button").last().click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    for (const entry of await menu.getByRole("menuitem").all()) expect(await isSeen(entry)).toBe(true);
    await menu.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Chat moved to the bin").waitFor();
  });
});

describe("the end of a chat", () => {
  test("stays in view while an answer, its notes and its errors appear, unless the user scrolled up", async () => {
    const page = await openScripted({ say: LONG }, { say: LONG });
    await say(page, "Write a lot.");
    const conversation = page.locator(".conversation");
    const rest = () =>
      onElement<number>(conversation, "return element.scrollHeight - element.scrollTop - element.clientHeight");
    await expect.poll(rest).toBeLessThan(2);
    await composer(page).fill("Write more.");
    await page.keyboard.press("Enter");
    await answered(page);
    await expect.poll(() => page.locator(".message.assistant").count()).toBe(2);
    await expect.poll(rest).toBeLessThan(2);
    expect(await scrollTop(conversation)).toBeGreaterThan(1_000);
  });
});
