import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const { promise: held, resolve: release } = Promise.withResolvers<void>();

beforeAll(async () => {
  const title: ScriptStep = async () => {
    await held;
    return { say: "Retry helper review" };
  };
  model = await startQueuedModel([{ say: "Back off between the attempts." }, title], { isSide: () => false });
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, hasTitles: true })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

test("a chat has its first words as the title until the model has written one, in the header and in the sidebar", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, "please look at my retry helper");
  const header = page.getByRole("heading", { level: 1 });
  const row = page.getByRole("complementary", { name: "Chats and settings" }).getByRole("listitem");
  await expectText(header, /^Please look at my retry helper$/);
  await expectText(row, "Please look at my retry helper");
  release();
  await expectText(header, /^Retry helper review$/);
  await expectText(row, "Retry helper review");
  await expect.poll(() => page.title()).toContain("Retry helper review");
});
