import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ActiveSkill } from "../../apps/chat/shared/api.ts";
import { skillMd } from "../temporary-folder.ts";
import { answered, chips, composer, expectText, options, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { isSeen, onElement } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  const skills = {
    "alpha/SKILL.md": skillMd("alpha", "Counts apples. Use when asked about apples.", "Say how many.\n"),
    "alpha/long.md": "A file.\n",
  };
  [browser, chat] = await Promise.all([openBrowser(), startChat({ skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

const countChats = async () =>
  ((await (await fetch(`${chat.url}/api/chats`)).json()) as { chats: unknown[] }).chats.length;

describe("a new chat", () => {
  test("is created once, even if Enter is pressed twice", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    const before = await countChats();
    let created = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/chats", async (route) => {
      if (route.request().method() === "POST") {
        created++;
        await released;
      }
      await route.continue();
    });
    await composer(page).fill("/alpha how many?");
    await page.keyboard.press("Enter");
    await expect.poll(() => created).toBe(1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    release();
    await answered(page);
    expect(created).toBe(1);
    expect(await countChats()).toBe(before + 1);
  });

  test("is not created for a message that is too long, and the text stays", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    const before = await countChats();
    await onElement(
      composer(page),
      `Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(element, "word ".repeat(240_000));
      element.dispatchEvent(new Event("input", { bubbles: true }));`,
    );
    await composer(page).press("Enter");
    const alert = page.getByRole("alert");
    await expectText(alert, "This message is too long: 1.1 MB. The limit is 1.0 MB.");
    await expect.poll(() => isSeen(alert)).toBe(true);
    expect(await alert.getByRole("button").count()).toBe(0);
    expect(await countChats()).toBe(before);
    expect((await composer(page).inputValue()).length).toBe(1_200_000);
    expect(new URL(page.url()).pathname).toBe("/");
  });
});

describe("what is missing", () => {
  test("a chat that does not exist leads to a new one, and offers no retry", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/chat/no-such-chat");
    await page.getByRole("heading", { name: "Chat not found" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("link", { name: "Start a new chat" }).click();
    await composer(page).waitFor();
  });

  test("a skill that does not exist offers no retry", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/no-such-skill");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });
});

describe("an unknown name after a slash", () => {
  test("is announced while it is typed, and is shown as text", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    const hint = page.getByText("The message is sent as text.");
    for (const text of ["/xyz", "/xyz please", "/alpha /xyz"]) {
      await composer(page).fill(text);
      await expectText(page.locator(".unknown-skill"), "No skill is named xyz. The message is sent as text.");
      await expect.poll(() => isSeen(hint)).toBe(true);
    }
    for (const text of ["/al", "/alpha go", "about /xyz", "/"]) {
      await composer(page).fill(text);
      await expect.poll(() => hint.count()).toBe(0);
    }
    await composer(page).fill("/alp");
    await expectText(options(page), "/alpha");
    await send(page, "/xyz please");
    await answered(page);
    await expectText(page.locator(".bubble"), "/xyz please");
    expect(await page.locator(".bubble .command").count()).toBe(0);
    await say(page, "/alpha please");
    await expectText(page.locator(".bubble .command"), "/alpha");
  });
});

test("a skill has the same size on its card, on its chip, on its page and in the chat's data", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, "/alpha");
  await expectText(chips(page), /alpha\s+\d+ tok/);
  const { active } = (await (await fetch(`${chat.url}/api/chats/${page.url().split("/").at(-1)}`)).json()) as {
    active: ActiveSkill[];
  };
  await expectText(chips(page), `${active[0]?.tokens} tok`);
  const sentence = page.getByRole("article", { name: `Used alpha · ${active[0]?.tokens} tokens`, exact: true });
  await sentence.waitFor();
  await page.goto("/skills/alpha");
  await expectText(page.locator(".facts").first(), `${active[0]?.tokens} tokens`);
});
