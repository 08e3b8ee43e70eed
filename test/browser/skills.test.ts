import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { answered, card, chips, composer, expectText, openTab, options, say, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { focused } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      skills: {
        "maps/SKILL.md": skillMd("maps", "Draws maps. Use when asked for a map.", "## Scale\n\nUse *one* scale.\n"),
        "maps/references/colours.md": "Water is blue.\n",
        "maps/evals/evals.json": JSON.stringify({ evals: [{ id: 1, prompt: "Draw a map of Iceland." }] }),
        "tides/SKILL.md": skillMd("tides", "Predicts tides. Use when asked about tides.", "Look at the moon.\n"),
        "Bad_Name/SKILL.md": skillMd("Bad_Name"),
      },
      moreSkills: { "maps/SKILL.md": skillMd("maps", "Draws other maps. Use when asked for another map.") },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

describe("the skills page", () => {
  test("shows all skills with their state, the catalog with its size, and problems with file and line", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    await expectText(row("maps").first(), /Draws maps[\s\S]+enabled/);
    await expectText(row("maps").last(), /Draws other maps[\s\S]+shadowed/);
    await expectText(row("Bad_Name"), /invalid/);
    await page.getByLabel("Filter skills").fill("tide");
    await expect.poll(() => page.locator(".skill-table tbody tr").count()).toBe(1);
    await openTab(page, "Problems");
    await expectText(page.locator(".problems").first(), /Bad_Name\/SKILL\.md:\d+/);
    await openTab(page, "What the model sees");
    await expectText(page.locator(".code-block pre"), /"available_skills"[\s\S]+"maps"/);
    await expectText(page.getByText("Every prompt includes this text"), /\d+ tokens/);
    await openTab(page, "Folders");
    await expectText(page.locator("main"), /Duplicate names[\s\S]+maps[\s\S]+shadowed/);
  });

  test("sorts by each column, and keeps the order, the tab and the keyboard's place", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const names = async () => (await page.getByRole("rowheader").allInnerTexts()).map((text) => text.split(/\s/)[0]);
    const [first, last] = [
      ["Bad_Name", "maps", "maps", "tides"],
      ["tides", "maps", "maps", "Bad_Name"],
    ];
    await expect.poll(names).toEqual(first);
    await page.getByRole("button", { name: "Skill", exact: true }).click();
    await expect.poll(names).toEqual(last);
    const header = page.getByRole("columnheader", { name: "Skill" });
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await page.reload();
    await expect.poll(names).toEqual(last);
    await page.getByRole("tab", { name: "Skills" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Problems" }).getAttribute("aria-selected")).toBe("true");
    expect(await focused(page)).toMatch(/^Problems/);
    await page.reload();
    await expect.poll(() => page.getByRole("tab", { name: "Problems" }).getAttribute("aria-selected")).toBe("true");
  });

  test("shows paths, switches and the rescan button to admins only", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    await page.locator(".skill-table").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    expect(await page.locator("main").innerText()).not.toContain(chat.skillsFolder);
    await page.getByRole("button", { name: "Admin" }).click();
    await page.getByLabel("Admin token").fill("not-the-token-at-all");
    await page.keyboard.press("Enter");
    await expectText(page.getByRole("alert"), "Wrong admin token");
    await page.keyboard.press("Escape");
    await signIn(page);
    await page.getByRole("switch", { name: "Enable maps" }).waitFor();
    await expectText(page.locator("main"), chat.skillsFolder);
    await page.getByRole("button", { name: "Rescan" }).click();
    await page.reload();
    await page.getByRole("switch", { name: "Enable maps" }).waitFor();
  });
});

test("on a phone, the reason for a state uses the full width of its row", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 390, height: 844 } });
  await page.goto("/skills");
  const reason = page.getByRole("row").filter({ hasText: "shadowed" }).locator(".reason").first();
  expect((await reason.boundingBox())?.width).toBeGreaterThan(150);
});

describe("the page of a skill", () => {
  test("shows its instructions, files and usage", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/maps");
    await page.goto("/skills/maps");
    await page.locator(".instructions").getByRole("heading", { name: "Scale" }).waitFor();
    expect(await page.getByRole("img", { name: "Activated 1 time in the last 30 days" }).count()).toBe(1);
    await page.getByRole("button", { name: /references\/colours\.md/ }).click();
    await expectText(page.getByRole("article", { name: "references/colours.md" }), "Water is blue.");
    await page.getByRole("button", { name: "SKILL.md" }).click();
    await page.locator(".instructions").getByRole("heading", { name: "Scale" }).waitFor();
  });

  test("has a task to try from its evaluations, which starts a chat with the skill", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/maps");
    await page.getByRole("button", { name: "Draw a map of Iceland." }).waitFor();
    await page.getByRole("button", { name: "Try it", exact: true }).click();
    await expect.poll(() => composer(page).inputValue()).toBe("/maps Draw a map of Iceland.");
    await page.keyboard.press("Enter");
    await answered(page);
    await expectText(page.locator(".message.assistant"), "I used the skill maps");
  });

  test("keeps the unsent text of a new chat below the task to try, and replaces only the task", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await composer(page).fill("My long question");
    for (const [skill, task] of [
      ["maps", "/maps Draw a map of Iceland."],
      ["tides", "/tides Predict tides: "],
    ]) {
      await page.getByRole("link", { name: "Skills", exact: true }).first().click();
      await page.getByRole("link", { name: skill, exact: true }).first().click();
      await page.getByRole("button", { name: "Try it", exact: true }).click();
      await expect.poll(() => composer(page).inputValue()).toBe(`${task}\n\nMy long question`);
    }
  });

  test("has its switch, for admins", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/tides");
    await page.getByRole("button", { name: "Try it", exact: true }).waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    await signIn(page);
    await page.getByRole("switch", { name: "Enable tides" }).click();
    await expectText(page.locator(".detail-head"), "disabled");
    expect(await page.getByRole("button", { name: "Try it", exact: true }).count()).toBe(0);
    await page.getByRole("switch", { name: "Enable tides" }).click();
    await page.getByRole("button", { name: "Try it", exact: true }).waitFor();
  });
});

describe("a running chat", () => {
  test("loses a skill that an admin disables, and gets it back when it is enabled", async () => {
    const person = await openPage(browser, chat.url);
    await person.goto("/");
    await say(person, "/tides");
    await expectText(chips(person), "tides");

    const admin = await openPage(browser, chat.url);
    await admin.goto("/skills");
    await signIn(admin);
    const toggle = admin.getByRole("switch", { name: "Enable tides" });
    await toggle.click();
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("false");
    await expectText(admin.locator(".toasts"), "'tides' was disabled.");
    await expectText(admin.getByRole("row").filter({ hasText: "Predicts tides" }), "disabled by an admin");

    await expectText(chips(person), /tides[\s\S]+unavailable/);
    await composer(person).fill("/tid");
    await expect.poll(() => options(person).count()).toBe(0);

    await toggle.click();
    await expectText(options(person), "/tides");
    await expect.poll(() => chips(person).innerText()).not.toContain("unavailable");
  });

  test("is notified of changed, added and removed skills", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/maps");
    writeFiles(chat.skillsFolder, {
      "maps/SKILL.md": skillMd("maps", "Draws maps. Use when asked for a map.", "Use another scale.\n"),
      "clouds/SKILL.md": skillMd("clouds", "Names clouds. Use when asked about clouds."),
    });
    await expectText(page.locator(".toasts"), /Skills changed:/);
    await expectText(chips(page), /maps[\s\S]+changed/);
    await composer(page).fill("/clou");
    await expectText(options(page), "/clouds");
    rmSync(join(chat.skillsFolder, "clouds"), { recursive: true });
    await expect.poll(() => options(page).count(), { timeout: 15_000 }).toBe(0);
    await page.reload();
    await expectText(card(page, "skills.activate", "maps"), "changed");
  });
});

test("with skills disabled, the page shows nothing about them", async () => {
  const folder = temporaryFolder();
  await using off = await startChat({ areSkillsOn: false, directories: [folder] });
  const page = await openPage(browser, off.url);
  await page.goto("/");
  await composer(page).waitFor();
  expect(await page.getByRole("link", { name: "Skills", exact: true }).count()).toBe(0);
  expect(await composer(page).getAttribute("placeholder")).toBe("Write a message");
  await page.goto("/skills");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test("without skills, the page says how to add one, and shows it when it exists", async () => {
  await using empty = await startChat();
  const page = await openPage(browser, empty.url);
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Skills", exact: true }).click();
  await page.getByText("No skills found. To create one, run npx skillset new my-skill --dir").waitFor();
  writeFiles(empty.skillsFolder, { "tea/SKILL.md": skillMd("tea") });
  await page.getByRole("rowheader", { name: "tea" }).waitFor();
  expect(await page.getByText("No skills found").count()).toBe(0);
});
