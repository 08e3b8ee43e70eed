import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { answered, card, composer, runOnce, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { PROJECT, startChat } from "./start-chat.ts";

/** Images are saved only on request, because machines render them differently. */
const FOLDER =
  process.env.UPDATE_IMAGES === "1" ? join(PROJECT, "docs/images") : mkdtempSync(join(tmpdir(), "images-"));
afterAll(() => {
  if (process.env.UPDATE_IMAGES !== "1") rmSync(FOLDER, { recursive: true });
});
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

test("the screenshots in the docs can be taken from the current page", async () => {
  await using chat = await startChat({ configFile: join(PROJECT, "apps/chat/config.toml") });
  await using browser = await openBrowser();
  const page = await openPage(browser, chat.url);
  const take = async (shown: Page | Locator, name: string) => {
    await page.locator(".toast").waitFor({ state: "detached" });
    expect((await shown.screenshot({ path: join(FOLDER, `${name}.png`) })).length).toBeGreaterThan(0);
  };

  await page.goto("/");
  await page.locator(".suggestions button").first().waitFor();
  await take(page, "new-chat");
  await composer(page).press("/");
  await page.getByRole("listbox").waitFor();
  await take(page, "autocomplete");
  await composer(page).fill("");
  await say(page, "/debugging the import job fails on Mondays");
  await page.getByRole("link", { name: "New chat" }).click();
  await say(page, "Write release notes for version 0.4");
  await page.getByRole("link", { name: "New chat" }).click();
  await send(page, "Please validate the skills system, step by step");
  const script = card(page, "skills.runScript", "skills-system-validation / scripts/echo.sh");
  await runOnce(page).waitFor();
  await take(script, "script-consent");
  await runOnce(page).click();
  await answered(page);
  await take(script, "script");
  await fromTheTop(page);
  await take(page, "chat");
  const address = page.url();

  const dark = await openPage(browser, chat.url, { colorScheme: "dark" });
  await dark.goto(address);
  await fromTheTop(dark);
  await take(dark, "chat-dark");

  // Not signed in as admin, so that screenshots show no local paths.
  await page.goto("/skills");
  await page.locator(".skill-table").waitFor();
  await take(page, "skills");
  await page.goto("/skills/skills-system-validation");
  await page.locator(".instructions .markdown").waitFor();
  await take(page, "skill");

  const phone = await openPage(browser, chat.url, PHONE);
  await phone.goto(address);
  await fromTheTop(phone);
  await take(phone, "phone");
});

/** Scrolls to the start of a chat and collapses the card whose file needs fonts that some machines lack. */
async function fromTheTop(page: Page): Promise<void> {
  await card(page, "skills.readResource", "skills-system-validation / assets/fixture.json")
    .getByRole("button", { expanded: true })
    .click();
  await page.evaluate("document.querySelector('.conversation').scrollTop = 0");
  await page.mouse.move(640, 4);
}
