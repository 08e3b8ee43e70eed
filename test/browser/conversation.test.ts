import { join } from "node:path";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { answered, card, chips, chooseModel, composer, expectText, modelPicker, say, unload } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { PROJECT, type StartedChat, startChat } from "./start-chat.ts";

const LONG = "A long line of a long file.\n".repeat(60);
let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      skills: {
        "alpha/SKILL.md": skillMd("alpha", "Counts apples. Use when asked about apples.", "Read `long.md` first.\n"),
        "alpha/long.md": LONG,
        "beta/SKILL.md": skillMd("beta", "Counts bananas. Use when asked about bananas.", "Say how many.\n"),
        "gamma/SKILL.md": skillMd("gamma", "Counts grapes. Use when asked about grapes.", "Say how many.\n"),
      },
      directories: [join(PROJECT, ".skills")],
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

describe("a first visit", () => {
  test("suggests tasks of enabled skills, none that tests the system, and gets the first answer in two steps", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await page.getByText("Offline demo: no language model").waitFor();
    const suggestions = page.locator(".suggestions button");
    await suggestions.first().waitFor();
    expect(await suggestions.count()).toBe(3);
    expect(await suggestions.filter({ hasText: "validation" }).count()).toBe(0);
    await suggestions.filter({ hasText: "Count apples" }).click();
    expect(await composer(page).inputValue()).toBe("/alpha Count apples: ");
    await page.keyboard.press("Enter");
    await answered(page);
    await card(page, "skills.activate", "alpha").waitFor();
    await expectText(page.locator(".message.assistant"), "I used the skill alpha");
    await expectText(chips(page), /alpha\s+\d+ tok/);
    expect(new URL(page.url()).pathname).toMatch(/^\/chat\/.+/);
  });
});

describe("the cards", () => {
  test("/skills-system-validation in a real browser shows both cards", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/skills-system-validation go through every step");
    const activation = card(page, "skills.activate", "skills-system-validation");
    const reading = card(page, "skills.readResource", "skills-system-validation / references/REFERENCE.md");
    await activation.waitFor();
    await reading.waitFor();
    await expectText(activation, "Used skills-system-validation");
    // Success has no badge.
    expect(await activation.locator(".badge").count()).toBe(0);
    await expectText(reading, "SSV-MARKER-REFERENCE-8b27d0");
  });

  test("the activation is collapsed until the user opens it", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/beta");
    const activation = card(page, "skills.activate", "beta");
    expect(await activation.getByText("Say how many.").count()).toBe(0);
    await activation.getByRole("button", { expanded: false }).focus();
    await page.keyboard.press("Enter");
    await activation.getByText("Say how many.").waitFor();
    expect(await activation.getByRole("button", { name: "Copy text" }).count()).toBe(1);
  });

  test("a file of more than 800 characters is collapsed", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/alpha how many apples are in long.md?");
    const reading = card(page, "skills.readResource", "alpha / long.md");
    await reading.waitFor();
    expect(await reading.locator("pre").count()).toBe(0);
    await reading.getByRole("button", { expanded: false }).click();
    await expectText(reading.locator("pre"), "A long line of a long file.");
  });
});

describe("the autocomplete", () => {
  test("works with the keyboard alone", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await composer(page).press("/");
    const list = page.getByRole("listbox", { name: "Skills" });
    await list.waitFor();
    const selected = list.locator("[aria-selected=true]");
    await expectText(selected, /^\/alpha\s+Counts apples/);
    await page.keyboard.press("ArrowDown");
    await expectText(selected, /^\/beta/);
    expect(await composer(page).getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
    expect(await composer(page).getAttribute("aria-activedescendant")).toBe(await selected.getAttribute("id"));
    await page.keyboard.press("Escape");
    expect(await list.count()).toBe(0);
    await page.keyboard.type("gra");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await expectText(selected, /^\/gamma/);
    await expectText(page.locator(".option-keys"), /Enter\s+choose/);
    await page.keyboard.type("amma");
    await expectText(page.locator(".option-keys"), /Enter\s+send/);
    await page.keyboard.press("Tab");
    expect(await composer(page).inputValue()).toBe("/gamma ");
    expect(await list.count()).toBe(0);
    await page.keyboard.type("how many?");
    await page.keyboard.press("Enter");
    await answered(page);
    await expectText(chips(page), "gamma");
  });

  test("ignores a / that is not at the start", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await composer(page).pressSequentially("one /al");
    expect(await page.getByRole("listbox").count()).toBe(0);
  });
});

describe("a chat", () => {
  test("is unchanged after a reload: messages, cards, chips, title and model", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await chooseModel(page, "Offline demo");
    await say(page, "/alpha how many apples?");
    await say(page, "/beta");
    const seen = async () => ({
      messages: await page.locator(".message").allInnerTexts(),
      chips: await chips(page).innerText(),
      title: await page.getByRole("heading", { level: 1 }).innerText(),
      model: await modelPicker(page).innerText(),
    });
    await expectText(page.getByRole("heading", { level: 1 }), /alpha|apples/);
    const before = await seen();
    await page.reload();
    await page.locator(".message").nth(3).waitFor();
    expect(await seen()).toEqual(before);
  });

  test("is in sync in two tabs", async () => {
    const [here, there] = [await openPage(browser, chat.url), await openPage(browser, chat.url)];
    await here.goto("/");
    await say(here, "/beta");
    await there.goto(here.url());
    await there.locator(".message").nth(1).waitFor();
    await say(here, "/gamma");
    await expectText(there.locator(".message"), /\/beta[\s\S]+\/gamma[\s\S]+I used the skill gamma/);
    await expectText(chips(there), /beta[\s\S]+gamma/);
  });

  test("keeps a message that did not reach the server, and a retry sends it once", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/beta");
    await page.route("**/turn", (route) => route.abort(), { times: 1 });
    await composer(page).fill("/gamma");
    await page.keyboard.press("Enter");
    const alert = page.locator(".conversation").getByRole("alert");
    await expectText(alert, "The server is not responding.");
    await alert.getByRole("button", { name: "Try again" }).click();
    await expectText(page.locator(".message.assistant").last(), "I used the skill gamma");
    await page.reload();
    await expect.poll(() => page.locator(".message.user").count()).toBe(2);
  });

  test("shows the answer to a message whose response was lost, and does not ask twice", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/beta");
    await page.route(
      "**/turn",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await composer(page).fill("/gamma");
    await page.keyboard.press("Enter");
    await expectText(page.locator(".message.assistant").nth(1), "I used the skill gamma");
    expect(await page.locator(".conversation").getByRole("alert").count()).toBe(0);
    await page.reload();
    await expectText(page.locator(".message.assistant").nth(1), "I used the skill gamma");
    expect(await page.locator(".message").count()).toBe(4);
    expect(await composer(page).inputValue()).toBe("");
  });

  test("keeps an answer when a response from before it arrives late", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/beta");
    const path = new URL(page.url()).pathname.replace("/chat/", "/api/chats/");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      if (route.request().method() !== "GET") return route.fallback();
      const response = await route.fetch();
      onAsked();
      await released;
      await route.fulfill({ response });
    };
    await page.route(`**${path}`, hold, { times: 1 });
    const headers = { "content-type": "application/json" };
    await fetch(new URL(path, chat.url), { method: "PATCH", headers, body: '{"title":"Fruit"}' });
    await asked;
    await say(page, "/gamma");
    const late = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    release();
    await (await late).finished();
    await expectText(page.getByRole("heading", { level: 1 }), "Fruit");
    await expectText(page.locator(".message.assistant").nth(1), "I used the skill gamma");
    expect(await page.locator(".message").count()).toBe(4);
  });

  test("sends the words of a refused message with the next one", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/beta");
    await page.route("**/turn", (route) => route.abort(), { times: 1 });
    await composer(page).fill("The first part.");
    await page.keyboard.press("Enter");
    await page.locator(".conversation").getByRole("alert").waitFor();
    await composer(page).fill("The second part.");
    await page.keyboard.press("Enter");
    await answered(page);
    await page.reload();
    await expectText(page.locator(".message.user").nth(1), /The first part\.\s+The second part\./);
    expect(await page.locator(".message.user").count()).toBe(2);
  });

  test("restores the text of an unsent message after a reload", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await page.route("**/turn", (route) => route.abort(), { times: 1 });
    await composer(page).fill("/beta how many bananas?");
    await page.keyboard.press("Enter");
    const alert = page.locator(".conversation").getByRole("alert");
    await alert.waitFor();
    await page.reload();
    await expect.poll(() => composer(page).inputValue()).toBe("/beta how many bananas?");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(await alert.count()).toBe(0);
    await page.reload();
    await page.locator(".message").nth(1).waitFor();
    expect(await composer(page).inputValue()).toBe("");
  });

  test("can unload a skill", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/alpha");
    await unload(page, "alpha");
    await expect.poll(() => chips(page).count()).toBe(0);
    await page.reload();
    await page.locator(".message").first().waitFor();
    expect(await chips(page).count()).toBe(0);
  });

  test("can be searched, renamed, exported and deleted in the sidebar", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/gamma pineapple harvest");
    const list = page.getByRole("navigation", { name: "Chats" });
    await page.getByLabel("Search chats").fill("pineapple");
    await expect.poll(() => list.getByRole("link").count()).toBe(1);
    await list.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("New title").fill("Harvest");
    await page.keyboard.press("Enter");
    await list.getByRole("link", { name: "Harvest" }).waitFor();
    await expectText(page.getByRole("heading", { level: 1 }), "Harvest");

    await list.getByRole("button", { name: "Actions for Harvest" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export as Markdown" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);

    await list.getByRole("button", { name: "Actions for Harvest" }).press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expectText(page.getByRole("status"), "Chat moved to the bin");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/");
    await expect.poll(() => list.getByRole("link").count()).toBe(0);
  });
});

describe("a model without tools", () => {
  test("gets the instructions in the prompt for that answer, and the page shows a note", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await chooseModel(page, "Offline demo without tools");
    await say(page, "/beta how many bananas?");
    await expectText(page.locator(".message.assistant .note"), /no tools.+beta/s);
    expect(await page.locator(".tool-card").count()).toBe(0);
    await page.reload();
    await expectText(page.locator(".message.assistant .note"), /no tools.+beta/s);
  });
});
