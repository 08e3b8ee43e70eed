import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd, writeFiles } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { expectText, openTab, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { isSeen } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const COLON = (name: string) => `---\nname: ${name}\ndescription: Use this: it has a colon\n---\nBody\n`;
const GOOD = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [`skill-${at}/SKILL.md`, skillMd(`skill-${at}`)]),
);

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      skills: {
        ...GOOD,
        "zebra/SKILL.md": COLON("zebra"),
        "yak/SKILL.md": COLON("yak"),
        "xerus/SKILL.md": skillMd("other", "Has another name than its folder."),
        "wolf/SKILL.md": COLON("wolf"),
        "vole/SKILL.md": "---\nname: vole\n---\nHas no description.\n",
        "ape/SKILL.md": skillMd("ape", "Is a warning.", "x", "colour: red\n"),
        "bat/SKILL.md": skillMd("bat", "Is a warning.", "x", "colour: red\n"),
      },
      moreSkills: { "more/SKILL.md": skillMd("more") },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

const fileOf = (name: string) => join(chat.skillsFolder, name, "SKILL.md");
const problems = (page: Page): Locator => page.getByRole("region", { name: /^\d+ problems?$/ });
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}\\b`) }) });

/** Only rows near the visible part are drawn in full. */
async function expectRow(page: Page, name: string, text: string | RegExp): Promise<void> {
  await openTab(page, "Skills");
  await page.getByLabel("Filter skills").fill(name);
  await expectText(row(page, name), text);
}

async function openSkills(): Promise<Page> {
  const page = await openPage(browser, chat.url);
  await page.goto("/skills");
  await openTab(page, "Problems");
  await problems(page).waitFor();
  return page;
}

async function openAsAdmin(): Promise<Page> {
  const page = await openSkills();
  await signIn(page);
  await page.getByRole("button", { name: "Rescan" }).waitFor();
  return page;
}

describe("the problems of 200 skills", () => {
  test("are counted on a separate tab, which lists errors before warnings", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    await expectText(page.getByRole("tab", { name: "Problems" }), /^Problems\s*7$/);
    await openTab(page, "Problems");
    const region = problems(page);
    expect(await isSeen(region.getByRole("heading", { name: "7 problems" }))).toBe(true);
    await expectText(region, /5 errors\s+2 warnings/);
    const badges = await region.getByRole("listitem").locator(".badge").allInnerTexts();
    expect(badges).toEqual([...Array(5).fill("error"), "warning", "warning"]);
  });

  test("name file and line, and what the policy lenient would do", async () => {
    const page = await openSkills();
    const problem = problems(page).getByRole("listitem").filter({ hasText: "zebra/SKILL.md" });
    await expectText(problem, /zebra\/SKILL\.md:3/);
    await expectText(problem, 'Repair the file, or set policy = "lenient" in config.toml to load the skill as it is.');
    const missing = problems(page).getByRole("listitem").filter({ hasText: "vole/SKILL.md" });
    await missing.waitFor();
    expect(await missing.innerText()).not.toContain("lenient");
    await expectRow(page, "zebra", 'policy = "lenient" would load it');
  });
});

describe("Repair", () => {
  test("is for admins only, and only where the server can repair", async () => {
    const page = await openSkills();
    expect(await page.getByRole("button", { name: /^Repair/ }).count()).toBe(0);
    await signIn(page);
    await page.getByRole("button", { name: "Repair zebra" }).waitFor();
    expect(await page.getByRole("button", { name: "Repair vole" }).count()).toBe(0);
  });

  test("has one button for each file, at the first problem that it fixes", async () => {
    const page = await openPage(browser, chat.url);
    const problem = (skill: string, code: string, more: object) => ({
      ...{ code, skill, message: code, path: `/skills/${skill}/SKILL.md`, severity: "error" },
      ...more,
    });
    await page.route("**/api/skills", async (route) => {
      const response = await route.fetch();
      const problems = [
        problem("one", "first", {}),
        problem("one", "second", { canRepair: true }),
        problem("two", "third", { canRepair: true }),
        problem("one", "fourth", { canRepair: true, severity: "warning" }),
      ];
      await route.fulfill({ response, json: { ...(await response.json()), problems } });
    });
    await page.goto("/skills");
    await signIn(page);
    await openTab(page, "Problems");
    const items = problems(page).getByRole("listitem");
    await expect.poll(() => items.count()).toBe(4);
    expect(
      await items
        .filter({ has: page.getByRole("button") })
        .locator("p:first-child")
        .allInnerTexts(),
    ).toEqual(["second", "third"]);
    await page.getByRole("button", { name: "Repair one" }).waitFor();
  });

  test("says if the changes cannot be loaded, and a retry loads them", async () => {
    const page = await openAsAdmin();
    await page.route("**/api/repairs", (route) => route.abort());
    await page.getByRole("button", { name: "Repair zebra" }).click();
    const dialog = page.getByRole("dialog", { name: "Repair" });
    const retry = dialog.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await page.unroute("**/api/repairs");
    await retry.click();
    await dialog.locator("ins").waitFor();
    expect(await retry.count()).toBe(0);
  });

  test("shows the lines before and after, writes on confirmation, and the skill is loaded", async () => {
    const page = await openAsAdmin();
    await page.getByRole("button", { name: "Repair zebra" }).click();
    const dialog = page.getByRole("dialog", { name: "Repair" });
    await expectText(dialog.locator("del"), "- description: Use this: it has a colon");
    await expectText(dialog.locator("ins"), '+ description: "Use this: it has a colon"');
    expect(await isSeen(dialog.locator("ins"))).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(readFileSync(fileOf("zebra"), "utf8")).toBe(COLON("zebra"));
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Repair zebra");

    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Apply change" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Repair zebra" }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await expectRow(page, "zebra", /enabled/);
    expect(readFileSync(fileOf("zebra"), "utf8")).toContain('description: "Use this: it has a colon"');
  });

  test("writes nothing if the file has changed since the change was shown, says so, and shows the new change", async () => {
    const page = await openAsAdmin();
    await page.getByRole("button", { name: "Repair yak" }).click();
    const dialog = page.getByRole("dialog", { name: "Repair" });
    await dialog.locator("ins").waitFor();
    const changed = COLON("yak").replace("Use this", "Use that");
    writeFileSync(fileOf("yak"), changed);
    await dialog.getByRole("button", { name: "Apply change" }).click();
    await expectText(dialog.getByRole("alert"), /'yak' was not repaired\. .*has changed.* Nothing was written\./);
    expect(readFileSync(fileOf("yak"), "utf8")).toBe(changed);
    await expectText(dialog.locator("ins"), 'description: "Use that: it has a colon"');
    await dialog.getByRole("button", { name: "Apply change" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expectRow(page, "yak", /enabled/);
  });

  test("on the page of a skill repairs it too, and follows its new name", async () => {
    writeFiles(chat.skillsFolder, { "Red_Fox/SKILL.md": skillMd("Red_Fox") });
    const page = await openAsAdmin();
    await expectText(problems(page), "Red_Fox");
    await page.goto("/skills/Red_Fox");
    await page.getByRole("button", { name: "Repair Red_Fox" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Repair" });
    await expectText(dialog, "'Red_Fox' is renamed to 'red-fox'.");
    await dialog.getByRole("button", { name: "Apply change" }).click();
    await page.getByRole("heading", { name: "red-fox", level: 1 }).waitFor();
    await expectText(page.locator(".detail-head"), "enabled");
  });

  test("has a dialog that fits a phone, and that assistive technology can use", async () => {
    const page = await openAsAdmin();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Repair wolf" }).click();
    await page.getByRole("dialog", { name: "Repair" }).locator("ins").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
  });

  test("all repairs all that can be repaired, after showing each change", async () => {
    const page = await openAsAdmin();
    await page.getByRole("button", { name: "Repair all" }).click();
    const dialog = page.getByRole("dialog", { name: "Repair all" });
    await expect.poll(() => dialog.getByRole("region").count()).toBe(2);
    await expectText(dialog.getByRole("region", { name: "xerus" }).locator("ins"), "+ name: xerus");
    await dialog.getByRole("button", { name: "Apply 2 changes" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { name: "3 problems" }).waitFor();
    expect(await page.getByRole("button", { name: /^Repair/ }).count()).toBe(0);
    for (const name of ["wolf", "xerus"]) await expectRow(page, name, /enabled/);
  });
});

test("with the policy lenient, the page says what was tolerated", async () => {
  await using lenient = await startChat({ policy: "lenient", skills: { "zebra/SKILL.md": COLON("zebra") } });
  const page = await openPage(browser, lenient.url);
  await page.goto("/skills");
  await expectRow(page, "zebra", /enabled[\s\S]+loaded leniently/);
  await page.goto("/skills/zebra");
  await expectText(
    page.getByRole("region", { name: "Loaded leniently" }),
    /The policy "standard" refuses it:\s+The frontmatter is not valid YAML/,
  );
});
