import { join } from "node:path";
import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { composer, expectText, modelPicker } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { PROJECT, type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  const skills = { "tides/SKILL.md": skillMd("tides", "Reports the tide. Use when asked.", "Say when.") };
  const directories = [join(PROJECT, "packages/skillset/skills")];
  [browser, chat] = await Promise.all([openBrowser(), startChat({ skills, directories })]);
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

test("until the skills are known, bones are shown where the suggestions will be, and no other sentence", async () => {
  const page = await openPage(browser, chat.url);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/commands", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/");
  const suggestions = page.getByRole("region", { name: "What would you like to do?" });
  await expect.poll(() => suggestions.locator(".bone").count()).toBe(3);
  const before = await suggestions.locator("p").innerText();
  const { height = 0 } = (await suggestions.locator(".bone").first().boundingBox()) ?? {};
  expect(height).toBeGreaterThan(80);
  release();
  await suggestions.getByRole("button").first().waitFor();
  expect(await suggestions.locator(".bone").count()).toBe(0);
  expect(await suggestions.locator("p").innerText()).toBe(before);
});

test("if the skills cannot be loaded, the page says how to start and nothing about skills", async () => {
  const page = await openPage(browser, chat.url);
  await page.route("**/api/commands", (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto("/");
  const suggestions = page.getByRole("region", { name: "What would you like to do?" });
  await expectText(suggestions.locator("p"), /^Write a message to start\.\s*$/);
  expect(await suggestions.locator(".bone").count()).toBe(0);
});

test("a suggestion is a task that the skill's author wrote, with a hint if it needs a file", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  const suggestions = page.getByRole("region", { name: "What would you like to do?" }).getByRole("button");
  await expect.poll(() => suggestions.count()).toBe(3);
  const review = suggestions.filter({ hasText: "/code-review" });
  await expectText(review, "Is this safe to merge?");
  expect(await review.innerText()).not.toContain("Attach a file");
  const summary = suggestions.filter({ hasText: "/data-summary" });
  await expectText(summary, "Attach a file");
  await summary.click();
  expect(await composer(page).inputValue()).toBe(
    "/data-summary Summarise the attached CSV file. Which values look wrong?",
  );
});

test("the page of a skill starts a chat with a task for it", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/skills/tides");
  await page.getByRole("button", { name: "Try it" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("/tides Report the tide: ");
});

test("on a phone, the notice of the offline demo takes one line, and screen readers get all of it", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 390, height: 844 } });
  await page.goto("/");
  const banner = page.getByRole("complementary", { name: "About this model" });
  await expectText(banner, /no language model\s+A small built-in program/);
  expect((await banner.boundingBox())?.height).toBeLessThan(48);
  await page.setViewportSize({ width: 1280, height: 860 });
  await expect
    .poll(async () => (await banner.getByText("A small built-in program").boundingBox())?.width)
    .toBeGreaterThan(200);
});
