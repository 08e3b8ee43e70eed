import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillChat } from "./fill-chat.ts";
import { expectText } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { isSeen, onElement, scrollTop, topOf } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;
let oldest: string;

beforeAll(async () => {
  [browser, chat] = await Promise.all([openBrowser(), startChat()]);
  oldest = await fillChat(chat.url, ["The oldest?"], "offline");
  for (let count = 0; count < 250; count++) await call("POST", "/chats");
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body: unknown = {}) =>
  fetch(`${chat.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const rows = (page: Page) => page.getByRole("navigation", { name: "Chats" });

describe("a long list of chats", () => {
  const links = (page: Page) => rows(page).getByRole("link");
  const toEnd = (page: Page) => onElement(rows(page), "element.scrollTo(0, element.scrollHeight)");

  test("loads more when its end comes near, and keeps its place when chats change", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await expect.poll(() => links(page).count()).toBe(100);
    await toEnd(page);
    await expect.poll(() => links(page).count()).toBe(200);
    await onElement(rows(page), "element.scrollTo(0, element.scrollTop - 2000)");
    const row = rows(page).locator(".chat-row").nth(150);
    await onElement(row, "element.scrollIntoView({ block: 'center' })");
    await expect.poll(() => isSeen(row)).toBe(true);
    await onElement(row, "element.dataset.read = ''");
    const read = rows(page).locator("[data-read]");
    const [top, place] = [await topOf(read), await scrollTop(rows(page))];
    expect(place).toBeGreaterThan(1_000);
    // Another page renames the oldest chat, which moves to the top.
    await call("PATCH", oldest.replace("/chat", "/chats"), { title: "The newest now" });
    await expectText(links(page).first(), "The newest now");
    await expect.poll(async () => Math.abs((await topOf(read)) - top)).toBeLessThan(2);
    expect(await links(page).count()).toBeGreaterThanOrEqual(200);
  });

  test("loads more with its button too, and the focus continues before the new chats", async () => {
    const page = await openPage(browser, chat.url);
    // A browser in which nothing ever comes near.
    await page.addInitScript("IntersectionObserver.prototype.observe = () => {}");
    await page.goto("/");
    await expect.poll(() => links(page).count()).toBe(100);
    await toEnd(page);
    const more = rows(page).getByRole("button", { name: "Show more" });
    expect(await isSeen(more)).toBe(true);
    for (const count of [100, 200]) {
      await more.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => links(page).count()).toBeGreaterThan(count);
      const last = links(page).nth(count - 1);
      expect(await onElement(last, "return element === document.activeElement")).toBe(true);
    }
    expect(await more.count()).toBe(0);
  });

  test("has a retry at its end if it cannot load more, which loads more", async () => {
    const page = await openPage(browser, chat.url);
    await page.route("**/api/chats?before=*", (route) => route.abort());
    await page.goto("/");
    await expect.poll(() => links(page).count()).toBe(100);
    await toEnd(page);
    const retry = rows(page).getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await toEnd(page);
    expect(await isSeen(retry)).toBe(true);
    await page.unroute("**/api/chats?before=*");
    await retry.click();
    await expect.poll(() => links(page).count()).toBeGreaterThanOrEqual(200);
    expect(await retry.count()).toBe(0);
  });

  test("shows the current chat on a later page", async () => {
    const page = await openPage(browser, chat.url);
    const { chats, next } = (await (await fetch(`${chat.url}/api/chats`)).json()) as Page1;
    expect(chats).toHaveLength(100);
    const second = (await (await fetch(`${chat.url}/api/chats?before=${next}`)).json()) as Page1;
    await page.goto(`/chat/${second.chats[70]?.id}`);
    const current = rows(page).locator(".chat-row", { has: page.locator("[aria-current]") });
    await current.waitFor();
    await expect.poll(() => isSeen(current)).toBe(true);
  });
});

interface Page1 {
  readonly chats: readonly { readonly id: string }[];
  readonly next: string;
}
