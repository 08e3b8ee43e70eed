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

/** Counts the event streams that a page has open. */
const COUNT_STREAMS = `
  globalThis.streams = 0;
  const { close } = EventSource.prototype;
  EventSource.prototype.close = function () {
    streams--;
    close.call(this);
  };
  globalThis.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      streams++;
    }
  };
`;
const streams = (page: Page) => page.evaluate<number>("streams");

async function addChat(title: string): Promise<void> {
  const ask = (method: string, path: string, body: unknown) =>
    fetch(`${chat.url}/api${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { id } = (await (await ask("POST", "/chats", {})).json()) as { id: string };
  await ask("PATCH", `/chats/${id}`, { title });
}

// Browsers allow six connections to a server, for all tabs together.
test("hidden tabs give their connections back, and continue where they were", { timeout: 90_000 }, async () => {
  const first = await openPage(browser, chat.url);
  await first.context().addInitScript(COUNT_STREAMS);
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
  expect(await streams(last)).toBe(1);
  for (const page of [first, ...others]) await expect.poll(() => streams(page)).toBe(0);
  // Components that appear in a hidden tab open no stream either.
  for (const page of others) {
    await page.getByRole("link", { name: "Skills", exact: true }).click();
    await page.getByRole("heading", { name: "Skills", level: 1 }).waitFor();
    expect(await streams(page)).toBe(0);
  }

  await show(first, "visible");
  await expectText(answer, /one two\s*$/);
  expect(await first.getByText("Connection lost").count()).toBe(0);
  await model.write("three");
  await model.end();
  await answered(first);
  await expectText(answer, /one two three/);
  // The first may appear because the tab reads its list again, the second only with an event.
  for (const title of ["Added first", "Added second"]) {
    await addChat(title);
    await first.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: title }).waitFor();
  }
  expect(await streams(first)).toBe(1);
});
