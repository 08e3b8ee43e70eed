import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answered, composer, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const steps: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(steps, { isSide: () => false });
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

const texts = (page: Page) => page.locator(".message :is(.bubble, .markdown)").allInnerTexts();
const versions = (page: Page, index: number) => page.locator(".message").nth(index).getByRole("group");

async function openWith(...turns: readonly (readonly [string, string])[]): Promise<Page> {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  for (const [question, answer] of turns) {
    steps.push({ say: answer });
    await say(page, question);
  }
  return page;
}

async function editFirst(page: Page, text: string): Promise<void> {
  const question = page.locator(".message.user").first();
  await question.hover();
  await question.getByRole("button", { name: "Edit message" }).click();
  await page.getByRole("textbox", { name: "Edit message" }).fill(text);
  await page.keyboard.press("Enter");
}

test("an edited message has versions, each with the messages after it, also after a reload", async () => {
  const page = await openWith(["One?", "First."], ["Two?", "Second."]);
  steps.push({ say: "Other." });
  await editFirst(page, "One, really?");
  await answered(page);
  await expect.poll(() => texts(page)).toEqual(["One, really?", "Other."]);
  await expectText(versions(page, 0), "2 / 2");
  await versions(page, 0).getByRole("button", { name: "Previous version" }).click();
  await expect.poll(() => texts(page)).toEqual(["One?", "First.", "Two?", "Second."]);
  await expectText(page.getByRole("heading", { level: 1 }), "One?");
  await page.reload();
  await expectText(versions(page, 0), "1 / 2");
  const previous = versions(page, 0).getByRole("button", { name: "Previous version" });
  expect(await previous.getAttribute("aria-disabled")).toBe("true");
  await versions(page, 0).getByRole("button", { name: "Next version" }).click();
  await expect.poll(() => texts(page)).toEqual(["One, really?", "Other."]);
});

test("switching versions keeps the focus on its button and announces the version", async () => {
  const page = await openWith(["Twenty?", "Yes."]);
  steps.push({ say: "No." });
  await editFirst(page, "Thirty?");
  await answered(page);
  const label = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
  await versions(page, 0).getByRole("button", { name: "Previous version" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => texts(page)).toEqual(["Twenty?", "Yes."]);
  await expect.poll(label).toBe("Previous version");
  await expectText(page.locator(".version-status"), "Version 1 of 2");
  await page.keyboard.press("Tab");
  expect(await label()).toBe("Next version");
  await page.keyboard.press("Enter");
  await expect.poll(() => texts(page)).toEqual(["Thirty?", "No."]);
  await expect.poll(label).toBe("Next version");
  await expectText(page.locator(".version-status"), "Version 2 of 2");
});

test("a new answer to an earlier question keeps what followed the old one", async () => {
  const page = await openWith(["Three?", "Good."], ["Four?", "Fine."]);
  steps.push({ say: "Better." });
  const answer = page.locator(".message.assistant").first();
  await answer.hover();
  await answer.getByRole("button", { name: "Regenerate" }).click();
  await answered(page);
  await expect.poll(() => texts(page)).toEqual(["Three?", "Better."]);
  await versions(page, 1).getByRole("button", { name: "Previous version" }).click();
  await expect.poll(() => texts(page)).toEqual(["Three?", "Good.", "Four?", "Fine."]);
});

test("an edit that did not reach the server is sent again as the same branch", async () => {
  const page = await openWith(["Five?", "Yes."]);
  steps.push({ say: "Perhaps." });
  await page.route("**/turn", (route) => route.abort(), { times: 1 });
  await editFirst(page, "Six?");
  await page.locator(".conversation").getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await answered(page);
  await expect.poll(() => texts(page)).toEqual(["Six?", "Perhaps."]);
  await expectText(versions(page, 0), "2 / 2");
});

test("what is written after a refused edit is sent with it, as the same branch", async () => {
  const page = await openWith(["Ten?", "Yes."], ["Eleven?", "No."]);
  steps.push({ say: "Both." });
  const refusal = { status: 409, json: { error: { code: "refused", message: "Not now." } } };
  await page.route("**/turn", (route) => route.fulfill(refusal), { times: 1 });
  await editFirst(page, "Twelve?");
  await page.locator(".conversation").getByRole("alert").waitFor();
  await say(page, "And thirteen?");
  await expect.poll(() => texts(page)).toEqual(["Twelve?\n\nAnd thirteen?", "Both."]);
  await expectText(versions(page, 0), "2 / 2");
  await page.reload();
  await expect.poll(() => texts(page)).toEqual(["Twelve?\n\nAnd thirteen?", "Both."]);
  expect(await composer(page).inputValue()).toBe("");
});

test("an edit leaves the unsent text in the field, also after a reload", async () => {
  const page = await openWith(["Fourteen?", "Yes."]);
  steps.push({ say: "No." });
  await composer(page).fill("Not sent yet");
  await editFirst(page, "Fifteen?");
  await answered(page);
  await expect.poll(() => texts(page)).toEqual(["Fifteen?", "No."]);
  expect(await composer(page).inputValue()).toBe("Not sent yet");
  await page.reload();
  await expect.poll(() => composer(page).inputValue()).toBe("Not sent yet");
});

test("a chat continues in a new one from a question, which the new chat can answer", async () => {
  const page = await openWith(["Forty?", "Even."], ["Fifty?", "Even too."]);
  const question = page.locator(".message.user").nth(1);
  await question.hover();
  await question.getByRole("button", { name: "Continue in a new chat" }).click();
  await expectText(page.getByRole("heading", { level: 1 }), "Forty? (fork)");
  await expect.poll(() => texts(page)).toEqual(["Forty?", "Even.", "Fifty?"]);
  steps.push({ say: "Still even." });
  await page.locator(".unanswered").getByRole("button", { name: "Regenerate" }).click();
  await answered(page);
  await expect.poll(() => texts(page)).toEqual(["Forty?", "Even.", "Fifty?", "Still even."]);
});

test("a chat continues in a new one from any answer", async () => {
  const page = await openWith(["Seven?", "Odd."], ["Eight?", "Even."]);
  const answer = page.locator(".message.assistant").first();
  await answer.hover();
  await answer.getByRole("button", { name: "Continue in a new chat" }).click();
  await expectText(page.getByRole("heading", { level: 1 }), "Seven? (fork)");
  await expect.poll(() => texts(page)).toEqual(["Seven?", "Odd."]);
  steps.push({ say: "Odd again." });
  await say(page, "Nine?");
  await expect.poll(() => texts(page)).toEqual(["Seven?", "Odd.", "Nine?", "Odd again."]);
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: "Seven?", exact: true }).click();
  await expect.poll(() => texts(page)).toEqual(["Seven?", "Odd.", "Eight?", "Even."]);
});
