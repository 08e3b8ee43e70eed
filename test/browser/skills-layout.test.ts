import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { expectText, openTab, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { focused, isSeen, onElement, topOf } from "./seen.ts";
import { ADMIN_TOKEN, type StartedChat, startChat } from "./start-chat.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      skills: {
        "atlas/SKILL.md": skillMd("atlas", "Draws maps of countries and cities. Use when asked for a map or an atlas."),
        "tides/SKILL.md": skillMd("tides", undefined, "A line of instructions.\n\n".repeat(100)),
        "tides/references/moon.md": "The moon.\n",
        "tides/evals/evals.json": JSON.stringify({ evals: [{ prompt: "When is high tide in Emden?" }] }),
        "colon/SKILL.md": "---\nname: colon\ndescription: Use this: it has a colon\n---\nBody\n",
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

async function open(path: string, options = {}): Promise<Page> {
  const page = await openPage(browser, chat.url, options);
  await page.goto(path);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const names = async (page: Page) => (await page.locator(".skill-table tbody th a").allInnerTexts()).join(" ");

describe("without the admin token", () => {
  test.each(["/skills", "/skills/tides"])(
    "%s has a button that signs in, and the switch comes in its place",
    async (path) => {
      const page = await open(path);
      await button(page, "Sign in to enable or disable").click();
      await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
      await button(page, "Sign in").click();
      await page.getByRole("switch", { name: "Enable tides" }).waitFor();
      expect(await button(page, "Sign in to enable or disable").count()).toBe(0);
      expect(await focused(page)).not.toBe("nothing");
    },
  );

  test("a problem that can be repaired has a button that signs in, and then one that repairs", async () => {
    const page = await open("/skills");
    await openTab(page, "Problems");
    expect(await page.getByRole("button", { name: "Repair colon" }).count()).toBe(0);
    await button(page, "Sign in to repair").click();
    await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
    await button(page, "Sign in").click();
    await page.getByRole("button", { name: "Repair colon" }).waitFor();
  });
});

test("an admin sees in words whether a skill is enabled, beside the switch on its page", async () => {
  const page = await open("/skills/atlas");
  await button(page, "Sign in to enable or disable").click();
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await button(page, "Sign in").click();
  const shown = page.locator(".page-header .labelled-switch");
  await expectText(shown, /^Enabled$/);
  await shown.getByRole("switch").click();
  await expectText(shown, /^Disabled$/);
  await shown.getByRole("switch").click();
  await expectText(shown, /^Enabled$/);
});

describe("on a phone", () => {
  test("skills are sorted with a list of orders, which wide screens do not have", async () => {
    const used = await open("/");
    await say(used, "/tides");
    const page = await open("/skills", PHONE);
    await expect.poll(() => names(page)).toBe("atlas colon tides");
    await page.getByLabel("Sort by").selectOption({ label: "Most used" });
    await expect.poll(() => names(page)).toBe("tides atlas colon");
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    expect(await page.getByLabel("Sort by").isVisible()).toBe(false);
    expect(await page.getByRole("columnheader", { name: "Activated" }).getAttribute("aria-sort")).toBe("descending");
  });

  test("an enabled skill takes two lines: its name and state, its description and how often it was used", async () => {
    const page = await open("/skills", PHONE);
    const row = page.locator(".skill-table tbody tr").filter({ hasText: "atlas" });
    await expectText(row, /atlas[\s\S]+Draws maps[\s\S]+enabled[\s\S]+never/);
    expect((await row.boundingBox())?.height).toBeLessThan(80);
    const state = row.getByText("enabled");
    expect(Math.abs((await topOf(row.getByRole("link"))) - (await topOf(state)))).toBeLessThan(8);
    expect(await isSeen(state)).toBe(true);
  });

  test("tabs that do not fit fade at the edge, and the last one is whole when it is chosen", async () => {
    const page = await open("/skills", PHONE);
    const list = page.getByRole("tablist");
    await list.waitFor();
    expect(await onElement(list, "return getComputedStyle(element).maskImage")).toMatch(/linear-gradient/);
    expect(await onElement(list, "return element.scrollWidth > element.clientWidth")).toBe(true);
    await openTab(page, "Folders");
    const box = await page.getByRole("tab", { name: "Folders" }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 18);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  test("tasks to try come before the instructions", async () => {
    const page = await open("/skills/tides", PHONE);
    const task = button(page, "When is high tide in Emden?");
    await task.waitFor();
    expect(await topOf(task)).toBeLessThan(await topOf(page.locator(".instructions")));
    expect(await topOf(page.getByRole("heading", { name: "About" }))).toBeGreaterThan(
      await topOf(page.locator(".instructions")),
    );
  });
});

test("the list of files stays in view beside long instructions", async () => {
  const page = await open("/skills/tides");
  const file = page.getByRole("button", { name: /references\/moon\.md/ });
  await file.waitFor();
  await onElement(page.locator(".page.scroll"), "element.scrollTop = 2000");
  expect(await topOf(page.locator(".instructions"))).toBeLessThan(-1000);
  expect(await isSeen(file)).toBe(true);
  await file.click();
  await expectText(page.getByRole("article", { name: "references/moon.md" }), "The moon.");
});
