import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ADMIN_TOKEN } from "./start-chat.ts";

/** The message field. */
export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

export function modelPicker(page: Page): Locator {
  return page.getByRole("combobox", { name: "Model", exact: true });
}

/** Chooses a model by its name. */
export async function chooseModel(page: Page, label: string): Promise<void> {
  await modelPicker(page).click();
  await page.getByRole("option", { name: label, exact: true }).click();
}

/** The active skills, whether their panel is open or not. */
export function chips(page: Page): Locator {
  return page.getByRole("list", { name: "Active skills", includeHidden: true });
}

/** Opens the panel of the active skills and unloads one. */
export async function unload(page: Page, skill: string): Promise<void> {
  await page.getByTitle("Active skills").click();
  await page.getByRole("button", { name: `Unload ${skill}` }).click();
}

/** The options of the autocomplete list. */
export function options(page: Page): Locator {
  return page.getByRole("listbox", { name: "Skills" }).getByRole("option");
}

export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press("Enter");
}

/** Sends a message and waits for the answer. */
export async function say(page: Page, text: string): Promise<void> {
  await send(page, text);
  await answered(page);
}

/** The button that allows a script to run. */
export function runOnce(page: Page): Locator {
  return page.getByRole("button", { name: "Run once" });
}

export async function answered(page: Page): Promise<void> {
  await page.locator(".message.assistant .message-actions").last().waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
}

/** The card of an operation, such as `skills.activate` for `notes`, or `skills.readResource` for `notes / a.md`. */
export function card(page: Page, operation: keyof typeof VERBS, subject: string): Locator {
  const [object = "", skill] = subject.split(" / ").reverse();
  const words = (skill === undefined ? object : `${object} · ${skill}`).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  // The name of a card is the sentence that people read. A size or an exit code may follow.
  return page.getByRole("article", { name: new RegExp(`^(?:${VERBS[operation].join("|")}) ${words}(?: · |$)`) });
}

const VERBS = {
  "skills.activate": ["Loading", "Used", "Could not use", "May not use"],
  "skills.readResource": ["Reading", "Read", "Could not read", "May not read"],
  "skills.search": ["Searching skills for", "Searched skills for"],
  "skills.runScript": ["Wants to run", "Running", "Ran", "Did not run", "Stopped", "May not run"],
} as const;

export async function openCards(page: Page): Promise<void> {
  for (const tool of await page.locator(".tool-card").all()) {
    const button = tool.locator(".tool-head");
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  }
}

/** Opens a tab of the skills page. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

export async function signIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Admin" }).click();
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Admin: signed in" }).waitFor();
}

/** Polls until the text of the locator matches, as Playwright's `expect` does. */
export async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(async () => (await locator.allInnerTexts()).join("\n"), { timeout: 15_000 }).toMatch(text);
}
