import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { fillChat } from "./fill-chat.ts";
import { answered, card, chips, composer, expectText, options, unload } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { focused, isSeen } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;
let withoutBin: StartedChat;

beforeAll(async () => {
  const skills = {
    "alpha/SKILL.md": skillMd("alpha", "Counts apples. Use when asked about apples.", "Say how many.\n"),
    "beta/SKILL.md": skillMd("beta", "Counts bananas. Use when asked about bananas.", "Say how many.\n"),
  };
  [browser, chat, withoutBin] = await Promise.all([
    openBrowser(),
    startChat({ skills }),
    startChat({ skills, binDays: 0 }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await withoutBin?.[Symbol.asyncDispose]();
});

const openChat = (...questions: string[]) => openFilled(chat.url, questions);
const openWithoutBin = (...questions: string[]) => openFilled(withoutBin.url, questions);

async function openFilled(url: string, questions: readonly string[]): Promise<Page> {
  const page = await openPage(browser, url);
  await page.goto(await fillChat(url, questions, "offline"));
  await page
    .locator(".message")
    .nth(2 * questions.length - 1)
    .waitFor();
  return page;
}

describe("the focus", () => {
  test("returns to the button after an edit is cancelled, and goes to the message field after it is sent", async () => {
    const page = await openChat("/alpha how many apples?");
    for (const cancel of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("button", { name: "Cancel" }).click(),
    ]) {
      await page.getByRole("button", { name: "Edit message" }).click();
      expect(await focused(page)).toBe("Edit message");
      await cancel();
      expect(await focused(page)).toBe("Edit message");
      expect(await isSeen(page.getByRole("button", { name: "Edit message" }))).toBe(true);
    }
    await page.getByRole("button", { name: "Edit message" }).click();
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Message");
    await answered(page);
  });

  test("returns to the chat after it is renamed, or not", async () => {
    const page = await openChat("/alpha Rename me");
    const rows = page.getByRole("navigation", { name: "Chats" });
    for (const [key, title] of [
      ["Escape", /Rename me/],
      ["Enter", /Renamed/],
    ] as const) {
      await rows.getByRole("button").first().click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByLabel("New title").fill("Renamed");
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toMatch(title);
    }
  });

  test("goes to the next chat after one is deleted", async () => {
    const page = await openChat("/alpha Stay");
    await fillChat(chat.url, ["/beta Go away"], "offline");
    const rows = page.getByRole("navigation", { name: "Chats" });
    await rows.getByRole("button", { name: /Go away/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect.poll(() => rows.getByRole("link", { name: /Go away/ }).count()).toBe(0);
    await expect.poll(() => focused(page)).toMatch(/Stay/);
  });

  test("goes to the message field after a skill is unloaded", async () => {
    const page = await openChat("/alpha how many apples?");
    await unload(page, "alpha");
    await expect.poll(() => chips(page).count()).toBe(0);
    expect(await focused(page)).toBe("Message");
  });

  test("starts on Cancel in a dialog that deletes", async () => {
    const page = await openWithoutBin("/alpha Keep me");
    const rows = page.getByRole("navigation", { name: "Chats" });
    await rows.getByRole("button").first().click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete this chat?" }).waitFor();
    expect(await focused(page)).toBe("Cancel");
    const sizeOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).fontSize`);
    expect(await sizeOf("dialog h2")).not.toBe(await sizeOf(".chat-list section > h2"));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await rows.getByRole("link", { name: /Keep me/ }).count()).toBe(1);
    expect(await focused(page)).toMatch(/^Actions for .*Keep me/);
  });
});

describe("the keyboard alone", () => {
  test("leads from a first visit to an activated skill and its card", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await composer(page).waitFor();
    await expect.poll(() => focused(page)).toBe("Message");
    await page.keyboard.type("/al");
    await expectText(options(page), "/alpha");
    await page.keyboard.press("Enter");
    await page.keyboard.type("how many apples?");
    await page.keyboard.press("Enter");
    await answered(page);
    await expectText(chips(page), "alpha");
    // Backwards from the message field to the card of the activation.
    const head = card(page, "skills.activate", "alpha").getByRole("button").first();
    for (let steps = 0; steps < 15; steps++) {
      await page.keyboard.press("Shift+Tab");
      if (/Used alpha/.test(await focused(page))) break;
    }
    expect(await isSeen(head)).toBe(true);
    await page.keyboard.press("Enter");
    await expectText(card(page, "skills.activate", "alpha"), "Say how many.");
  });
});
