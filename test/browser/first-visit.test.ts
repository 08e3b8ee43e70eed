import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { composer, expectText, modelPicker } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  const skills = { "tides/SKILL.md": skillMd("tides", "Reports the tide. Use when asked.", "Say when.") };
  [browser, chat] = await Promise.all([openBrowser(), startChat({ skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

test("a first visit takes at most 250 kB over the wire, with the font, and the first key loads the page of chats", async () => {
  const page = await openPage(browser, chat.url);
  const finished: Request[] = [];
  page.on("requestfinished", (request) => finished.push(request));
  await page.goto("/");
  await composer(page).waitFor();
  await expect.poll(() => page.evaluate("document.fonts.check('16px Inter')")).toBe(true);
  const sizes = await Promise.all(finished.map((request) => request.sizes()));
  const total = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(250_000);
  const loaded = page.waitForRequest(/chat-page/);
  await composer(page).press("a");
  await loaded;
});

test("the frame of the page is shown before the server answers, and removed then", async () => {
  const page = await openPage(browser, chat.url);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/state", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/");
  await page.locator("#skeleton .sidebar").waitFor();
  expect(await composer(page).count()).toBe(0);
  release();
  await composer(page).waitFor();
  expect(await page.locator("#skeleton").count()).toBe(0);
  await expectText(modelPicker(page), "Offline demo");
});

test("the page of a skill starts a chat with a task for it", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/skills/tides");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("/tides Report the tide: ");
});
