import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { fillChat } from "./fill-chat.ts";
import { answered, chooseModel, composer, expectText, modelPicker, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type PacedModel, startPacedModel } from "./paced-model.ts";
import { focused } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: PacedModel;
let chat: StartedChat;

beforeAll(async () => {
  model = await startPacedModel();
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      skills: { "tides/SKILL.md": skillMd("tides", "Reports tides. Use when asked.", "Say when.") },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

async function openDraft(): Promise<Page> {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await composer(page).waitFor();
  return page;
}

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });

describe("the command palette", () => {
  test("opens with Ctrl+K and Cmd+K, also from a text field, and returns the focus when it closes", async () => {
    const page = await openDraft();
    await composer(page).fill("half a message");
    for (const keys of ["Control+k", "Meta+k"]) {
      await page.keyboard.press(keys);
      await palette(page).waitFor();
      await page.keyboard.press("Escape");
      await palette(page).waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Message");
    }
    expect(await composer(page).inputValue()).toBe("half a message");
  });

  test("lists the recent chats first, without the open one", async () => {
    await fillChat(chat.url, ["/tides the older chat"], "offline");
    const page = await openDraft();
    await chooseModel(page, "Offline demo");
    await say(page, "/tides the open chat");
    await page.keyboard.press("Control+k");
    const first = palette(page).getByRole("option").first();
    await expectText(first, "The older chat");
    expect(await palette(page).getByRole("option", { name: "The open chat" }).count()).toBe(0);
    await page.keyboard.type("the open chat");
    await palette(page).getByRole("option", { name: "The open chat" }).waitFor();
  });

  test("goes to a chat that the server finds, and to a skill", async () => {
    await fillChat(chat.url, ["/tides when is the flood in Emden?"], "offline");
    const page = await openDraft();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("flood in emden");
    await palette(page)
      .getByRole("option", { name: /flood in Emden/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/chat\//);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("tides skill");
    await palette(page).getByRole("option", { name: "tides" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/skills/tides");
  });

  test("chooses the model and the theme", async () => {
    const page = await openDraft();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("use offline");
    await palette(page).getByRole("option", { name: "Use Offline demo Model", exact: true }).click();
    await expectText(modelPicker(page), "Offline demo");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("theme dark");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
  });

  test("has no accessibility violations, and says when nothing is found", async () => {
    const page = await openDraft();
    await page.getByRole("button", { name: "Command palette" }).click();
    await palette(page).getByRole("option").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.type("zzzzzz");
    await expectText(palette(page).getByRole("status"), "Nothing found");
  });
});

describe("the keys", () => {
  test("? lists the shortcuts and / goes to the message field, outside of text fields only", async () => {
    const page = await openDraft();
    await composer(page).fill("");
    await composer(page).pressSequentially("why?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await composer(page).fill("");
    await page.getByRole("link", { name: "New chat" }).focus();
    await page.keyboard.press("?");
    await expectText(page.getByRole("dialog", { name: "Keyboard shortcuts" }), "Stop the answer");
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "New chat" }).focus();
    await page.keyboard.press("/");
    await expect.poll(() => focused(page)).toBe("Message");
    expect(await composer(page).inputValue()).toBe("");
  });

  test("Escape stops a running answer, but closes what is open first", async () => {
    const page = await openDraft();
    await send(page, "Write.");
    await model.write("Some words.");
    await expectText(page.locator(".message.assistant"), "Some words.");
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    await modelPicker(page).click();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox", { name: "Models" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Escape");
    await expectText(page.locator(".message.assistant"), "You stopped this answer.");
    await page.getByRole("button", { name: "Send" }).waitFor();
  });

  test("two Tabs and Enter lead past a long list of chats, and from the search field one", async () => {
    await fillChat(chat.url, ["/tides again"], "offline");
    const page = await openDraft();
    await page.getByRole("navigation", { name: "Chats" }).getByRole("link").first().waitFor();
    await page.getByLabel("Search chats").focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip the list of chats");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
    await page.goto("/");
    await page.getByRole("link", { name: "Skip to the message field" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Message");
  });
});

describe("the model menu", () => {
  test("works with the keyboard, and new chats start with the last choice", async () => {
    const page = await openDraft();
    await modelPicker(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("o");
    await page.keyboard.press("Enter");
    await expectText(modelPicker(page), /^Offline demo$/);
    expect(await focused(page)).toBe("Model");
    await page.reload();
    await expectText(modelPicker(page), /^Offline demo$/);
    await say(page, "/tides");
    await answered(page);
    await page.getByRole("link", { name: "New chat" }).click();
    await expectText(modelPicker(page), /^Offline demo$/);
    await chooseModel(page, "with-tools");
  });
});
