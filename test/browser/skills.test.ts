import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { card, chips, composer, expectText, options, say, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
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
        "tides/SKILL.md": skillMd("tides", "Tells tides. Use when asked about tides.", "Look at the moon.\n"),
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

describe("the page of skills", () => {
  test("shows every skill with its state, the catalog with its cost, and problems with file and line", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    await expectText(row("maps").first(), /Draws maps[\s\S]+enabled/);
    await expectText(row("maps").last(), /Draws other maps[\s\S]+shadowed/);
    await expectText(page.locator("main"), /Same name, several places[\s\S]+maps[\s\S]+left out/);
    await expectText(row("Bad_Name"), /invalid/);
    await expectText(page.locator(".code-block pre"), /"available_skills"[\s\S]+"maps"/);
    await expectText(page.getByText("Exactly this text"), /\d+ tokens/);
    await expectText(page.locator(".problems").first(), /Bad_Name\/SKILL\.md:\d+/);
    await page.getByLabel("Filter skills").fill("tide");
    await expect.poll(() => page.locator(".skill-table tbody tr").count()).toBe(1);
  });

  test("has paths, switches and scanning for admins only", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    await page.locator(".skill-table").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    await page.getByText("Sign in as the admin").waitFor();
    expect(await page.locator("main").innerText()).not.toContain(chat.skillsFolder);
    await page.getByRole("button", { name: "Admin" }).click();
    await page.getByLabel("Admin token").fill("not-the-token-at-all");
    await page.keyboard.press("Enter");
    await expectText(page.getByRole("alert"), "not the admin token");
    await page.keyboard.press("Escape");
    await signIn(page);
    await page.getByRole("switch", { name: "Offer maps" }).waitFor();
    await expectText(page.locator("main"), chat.skillsFolder);
    await page.getByRole("button", { name: "Scan again" }).click();
    await page.reload();
    await page.getByRole("switch", { name: "Offer maps" }).waitFor();
  });
});

test("on a phone, the reason of a state has the width of its card", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 390, height: 844 } });
  await page.goto("/skills");
  const reason = page.getByRole("row").filter({ hasText: "shadowed" }).locator(".reason").first();
  expect((await reason.boundingBox())?.width).toBeGreaterThan(150);
});

describe("the page of one skill", () => {
  test("shows its instructions, its files and how it was used", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/maps");
    await page.goto("/skills/maps");
    await page.locator(".instructions").getByRole("heading", { name: "Scale" }).waitFor();
    expect(await page.getByRole("img", { name: "Activated 1 time in the last 30 days" }).count()).toBe(1);
    await page.getByRole("button", { name: /references\/colours\.md/ }).click();
    await expectText(page.getByRole("dialog", { name: "references/colours.md" }), "Water is blue.");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

describe("a running chat", () => {
  test("loses a skill that an admin switches off, and has it again when it is on", async () => {
    const person = await openPage(browser, chat.url);
    await person.goto("/");
    await say(person, "/tides");
    await expectText(chips(person), "tides");

    const admin = await openPage(browser, chat.url);
    await admin.goto("/skills");
    await signIn(admin);
    const toggle = admin.getByRole("switch", { name: "Offer tides" });
    await toggle.click();
    await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("false");
    await expectText(admin.locator(".toasts"), "'tides' was switched off.");
    await expectText(admin.getByRole("row").filter({ hasText: "Tells tides" }), "switched off here");

    await expectText(chips(person), /tides[\s\S]+no longer on offer/);
    await composer(person).fill("/tid");
    await expect.poll(() => options(person).count()).toBe(0);

    await toggle.click();
    await expectText(options(person), "/tides");
    await expect.poll(() => chips(person).innerText()).not.toContain("no longer on offer");
  });

  test("is told of a file that changed, of a skill that came and of one that went", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, "/maps");
    writeFiles(chat.skillsFolder, {
      "maps/SKILL.md": skillMd("maps", "Draws maps. Use when asked for a map.", "Use another scale.\n"),
      "clouds/SKILL.md": skillMd("clouds", "Names clouds. Use when asked about clouds."),
    });
    await expectText(page.locator(".toasts"), /Skills changed:/);
    await expectText(chips(page), /maps[\s\S]+changed since/);
    await composer(page).fill("/clou");
    await expectText(options(page), "/clouds");
    rmSync(join(chat.skillsFolder, "clouds"), { recursive: true });
    await expect.poll(() => options(page).count(), { timeout: 15_000 }).toBe(0);
    await page.reload();
    await expectText(card(page, "skills.activate", "maps"), "changed since");
  });
});

test("with skills off, nothing of them shows anywhere", async () => {
  const folder = temporaryFolder();
  await using off = await startChat({ areSkillsOn: false, directories: [folder] });
  const page = await openPage(browser, off.url);
  await page.goto("/");
  await composer(page).waitFor();
  expect(await page.getByRole("link", { name: "Skills", exact: true }).count()).toBe(0);
  expect(await composer(page).getAttribute("placeholder")).toBe("Write a message");
  await page.goto("/skills");
  await page.getByRole("heading", { name: "Nothing is here" }).waitFor();
});
