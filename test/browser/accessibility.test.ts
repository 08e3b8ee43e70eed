import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { answered, card, composer, openCards, runOnce, send, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { PROJECT, type StartedChat, startChat } from "./start-chat.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
let browser: Browser;
let chat: StartedChat;
let address: string;

beforeAll(async () => {
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({ scripts: "auto", directories: [join(PROJECT, ".skills"), join(PROJECT, "packages/skillset/skills")] }),
  ]);
  const page = await browser.newPage({ baseURL: chat.url });
  await page.goto("/");
  await send(page, "/skills-system-validation go through every step");
  await runOnce(page).click();
  await answered(page);
  address = page.url();
  await page.close();
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

describe.each(["light", "dark"] as const)("axe finds no violations of any level in the %s theme", (colorScheme) => {
  test("on a new chat, with the autocomplete open", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto("/");
    await page.locator(".suggestions button").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await composer(page).press("/");
    await page.getByRole("listbox").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test("in a chat with a question about a script", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto("/");
    await send(page, "/skills-system-validation go through every step");
    await runOnce(page).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Deny" }).click();
    await answered(page);
  });

  test("in a chat with cards open", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto(address);
    await page.locator(".tool-card").first().waitFor();
    await openCards(page);
    expect(await axeViolations(page)).toEqual([]);
  });

  test("on the skills page, for admins too", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto("/skills");
    await page.locator(".skill-table").waitFor();
    await page.getByRole("button", { name: "Admin" }).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await signIn(page);
    await page.getByRole("switch").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test("on the page of a skill, with a file open", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto("/skills/skills-system-validation");
    await page.locator(".instructions .markdown").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: /REFERENCE\.md/ }).click();
    await page
      .getByRole("article", { name: /REFERENCE\.md/ })
      .locator(".markdown")
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test("on pages that do not exist, in the menu of a chat and in dialogs", async () => {
    const page = await openPage(browser, chat.url, { colorScheme });
    for (const [path, title] of [
      ["/nowhere", "Page not found"],
      ["/chat/nowhere", "Chat not found"],
      ["/skills/nowhere", "nowhere"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("heading", { name: title }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.getByRole("navigation", { name: "Chats" }).getByRole("button").first().click();
    await page.getByRole("menu").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Chat moved to the bin").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/bin");
    await page.getByRole("button", { name: "Empty the bin" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Restore/ }).click();
    await page.getByText("The bin is empty").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test("on a phone, with the drawer open", async () => {
    const page = await openPage(browser, chat.url, { ...PHONE, colorScheme });
    await page.goto("/");
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.getByRole("navigation", { name: "Chats" }).getByRole("link").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("a phone", () => {
  test.each(["/", "/skills", "/skills/skills-system-validation", "/bin", "chat"])(
    "shows %s without scrolling sideways",
    async (path) => {
      const page = await openPage(browser, chat.url, PHONE);
      await page.goto(path === "chat" ? address : path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator(".suggestions, .tool-card, .skill-table, .instructions, .lead").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      expect(await page.evaluate("document.querySelector('.page, .conversation').scrollWidth")).toBeLessThanOrEqual(
        390,
      );
    },
  );

  test("has the sidebar in a drawer, which Escape closes", async () => {
    const page = await openPage(browser, chat.url, PHONE);
    await page.goto("/");
    const open = page.getByRole("button", { name: "Open sidebar" });
    const list = page.getByRole("navigation", { name: "Chats" });
    await open.waitFor();
    expect(await list.isVisible()).toBe(false);
    await open.click();
    await list.waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Open sidebar");
    await open.click();
    await list.getByRole("link").first().click();
    await list.waitFor({ state: "hidden" });
    await card(page, "skills.readResource", "skills-system-validation / references/REFERENCE.md").waitFor();
  });
});

describe("the keyboard", () => {
  test("starts at a skip link, and the focus is always visible", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    await page.locator(".skill-table").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).not.toBe("none");
    }
  });

  test("the chosen theme is kept after a reload", async () => {
    const page = await openPage(browser, chat.url, { colorScheme: "light" });
    await page.goto("/");
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
  });
});

test("answers are announced to screen readers in a separate polite region", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await composer(page).fill("/debugging a crash");
  await page.keyboard.press("Enter");
  const region = page.locator(".conversation [aria-live=polite]");
  await expect.poll(() => region.innerText(), { timeout: 10_000 }).toMatch(/debugging/);
  for (const landmark of ["main", "complementary", "navigation"] as const) {
    expect(await page.getByRole(landmark).count()).toBeGreaterThan(0);
  }
});
