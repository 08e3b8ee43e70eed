import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answered, expectText, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type PacedModel, startPacedModel } from "./paced-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;
let model: PacedModel;

beforeAll(async () => {
  model = await startPacedModel();
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

/** A browser without windows has no hidden tabs, so the page is told. */
async function show(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

// Browsers allow six connections to a server, for all tabs together.
test("hidden tabs give their connections back, and continue where they were", { timeout: 90_000 }, async () => {
  const first = await openPage(browser, chat.url);
  await first.goto("/");
  await send(first, "Count.");
  await model.write("one ");
  const answer = first.locator(".message.assistant").last();
  await expectText(answer, /one\s*$/);
  const address = new URL(first.url()).pathname;
  const others: Page[] = [];
  for (let tab = 0; tab < 2; tab++) {
    const page = await first.context().newPage();
    await page.goto(address);
    await expectText(page.locator(".message.assistant").last(), /one\s*$/);
    others.push(page);
  }
  for (const page of [first, ...others]) await show(page, "hidden");

  const last = await first.context().newPage();
  await last.goto(address);
  await expectText(last.locator(".message.assistant").last(), /one\s*$/);
  await model.write("two ");
  await expectText(last.locator(".message.assistant").last(), /one two\s*$/);
  await expectText(answer, /one\s*$/);

  await show(first, "visible");
  await expectText(answer, /one two\s*$/);
  expect(await first.getByText("Connection lost").count()).toBe(0);
  await model.write("three");
  await model.end();
  await answered(first);
  await expectText(answer, /one two three/);
});
