import { type ScriptedModel, startScriptedModel } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composer, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;

beforeAll(async () => {
  const script = [{ say: "The first answer." }, { hang: true as const }, { say: "Here I am again." }];
  model = await startScriptedModel(script, { isSide: () => false, pace: "global" });
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

test("S17: a page whose server is killed recovers by itself: the answer is marked as cut off and can be regenerated", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, "Are you there?");
  await composer(page).fill("And now?");
  await page.keyboard.press("Enter");
  await expect.poll(() => model.requests.length).toBe(2);
  await chat.kill();
  const lost = page.getByText("Connection lost. Reconnecting…");
  await lost.waitFor();
  await chat.restart();
  const note = page.getByText("The server stopped before this answer was complete.");
  await note.waitFor({ timeout: 40_000 });
  expect(await lost.count()).toBe(0);
  expect(await page.locator(".message.user").allInnerTexts()).toHaveLength(2);
  await page.getByRole("button", { name: "Regenerate" }).last().click();
  await expectText(page.locator(".message.assistant").last(), "Here I am again.");
  expect(await note.count()).toBe(0);
  await page.reload();
  await expect.poll(() => page.locator(".message").count()).toBe(4);
});
