import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillChat } from "./fill-chat.ts";
import { expectText } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { focused, isSeen, onElement } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const steps: ScriptStep[] = [];
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;

beforeAll(async () => {
  model = await startQueuedModel(steps, { isSide: () => false });
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

const call = (method: string, path: string, body: unknown = {}) =>
  fetch(`${chat.url}/api${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** A chat with a question and an answer for each pair. */
function fill(...pairs: readonly (readonly [question: string, answer: string])[]): Promise<string> {
  steps.push(...pairs.map(([, say]) => ({ say })));
  return fillChat(
    chat.url,
    pairs.map(([question]) => question),
  );
}

const rows = (page: Page) => page.getByRole("navigation", { name: "Chats" });
const toast = (page: Page) => page.locator(".toast");
const undo = (page: Page) => page.getByRole("button", { name: "Undo" });
const texts = (page: Page) => page.locator(".message .bubble, .message .markdown").allInnerTexts();

async function remove(page: Page, title: string): Promise<void> {
  await rows(page)
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
}

/** Double-clicks while the server takes its time. Returns the number of requests to restore something. */
async function restoreTwice(page: Page, button: Locator): Promise<number> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route("**/restore", async (route) => {
    asked++;
    await released;
    await route.continue();
  });
  await button.dblclick();
  const answer = page.waitForResponse("**/restore");
  release();
  await answer;
  return asked;
}

async function openFirst(path: string): Promise<Page> {
  const page = await openPage(browser, chat.url);
  await page.goto(path);
  await page.locator(".message").last().waitFor();
  return page;
}

describe("a deleted chat", () => {
  test("leaves the list at once, and comes back to its place with Undo", async () => {
    await fill(["Apples?", "Red."]);
    await fill(["Pears?", "Green."]);
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await rows(page).getByRole("link", { name: "Apples?" }).waitFor();
    const before = await rows(page).getByRole("link").allInnerTexts();
    await remove(page, "Apples?");
    await expect.poll(() => rows(page).getByRole("link", { name: "Apples?" }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await expectText(toast(page), "Chat moved to the bin");
    expect(await isSeen(undo(page))).toBe(true);
    await undo(page).click();
    await expect.poll(() => rows(page).getByRole("link").allInnerTexts()).toEqual(before);
    expect(await toast(page).count()).toBe(0);
  });

  test("can be restored with the keyboard, which keeps its place in the page", async () => {
    await fill(["Cherries?", "Dark."]);
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await remove(page, "Cherries?");
    await expectText(toast(page), "Chat moved to the bin");
    await expect.poll(() => focused(page)).toBe("Pears?");
    await page.keyboard.press("Control+z");
    await rows(page).getByRole("link", { name: "Cherries?" }).waitFor();
    expect(await focused(page)).toBe("Pears?");
    await remove(page, "Cherries?");
    await expect.poll(() => focused(page)).toBe("Pears?");
    // Backwards from the start of the page to its end, where messages are.
    for (let step = 0; step < 30 && (await focused(page)) !== "Undo"; step++) await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toBe("Undo");
    await page.keyboard.press("Enter");
    await rows(page).getByRole("link", { name: "Cherries?" }).waitFor();
    expect(await focused(page)).not.toBe("nothing");
  });

  test("that was open is open again after Undo", async () => {
    const path = await fill(["Plums?", "Blue."]);
    const page = await openFirst(path);
    await remove(page, "Plums?");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/");
    await undo(page).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    await expect.poll(() => texts(page)).toEqual(["Plums?", "Blue."]);
  });

  test("stays deleted if Ctrl+Z is meant for a text field, or is held down after another Undo", async () => {
    await fill(["Figs?", "Sweet."]);
    await fill(["Dates?", "Sweeter."]);
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await remove(page, "Figs?");
    await remove(page, "Dates?");
    await expect.poll(() => undo(page).count()).toBe(2);
    await page.getByRole("textbox", { name: "Message" }).pressSequentially("x");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+z");
    expect(await undo(page).count()).toBe(2);
    await page.getByRole("link", { name: "Bin" }).focus();
    await page.keyboard.down("Control");
    for (let times = 0; times < 3; times++) await page.keyboard.down("z");
    await page.keyboard.up("z");
    await page.keyboard.up("Control");
    await rows(page).getByRole("link", { name: "Dates?" }).waitFor();
    expect(await undo(page).count()).toBe(1);
    expect(await rows(page).getByRole("link", { name: "Figs?" }).count()).toBe(0);
  });

  test("that is open is restored once, and the focus goes to the message field", async () => {
    const path = await fill(["Medlars?", "Brown."]);
    const page = await openFirst(path);
    await call("DELETE", path.replace("/chat", "/chats"));
    expect(await restoreTwice(page, page.locator("main").getByRole("button", { name: "Restore" }))).toBe(1);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    expect(await focused(page)).toBe("Message");
    expect(await toast(page).count()).toBe(0);
  });

  test("says at its address that it is in the bin, and is restored there", async () => {
    const path = await fill(["Quinces?", "Yellow."]);
    const open = await openFirst(path);
    await call("DELETE", path.replace("/chat", "/chats"));
    await expectText(open.locator(".conversation").getByRole("alert"), "This chat is in the bin.");
    const page = await openPage(browser, chat.url);
    await page.goto(path);
    await page.getByText("This chat is in the bin.").waitFor();
    await page.locator("main").getByRole("button", { name: "Restore" }).click();
    await expect.poll(() => texts(page)).toEqual(["Quinces?", "Yellow."]);
    await expect.poll(() => open.getByRole("alert").count()).toBe(0);
  });
});

describe("the bin", () => {
  test("lists what was deleted with its dates, restores it, and deletes it forever after a question", async () => {
    await call("DELETE", "/bin");
    const paths = [await fill(["Gone?", "Yes."]), await fill(["Also gone?", "Yes."])];
    for (const path of paths) await call("DELETE", path.replace("/chat", "/chats"));
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await page.getByRole("link", { name: "Bin" }).click();
    const items = page.getByRole("list", { name: "Chats in the bin" }).getByRole("listitem");
    await expect.poll(() => items.count()).toBe(2);
    const [deleted, removed] = [new Date(), new Date(Date.now() + 30 * 86_400_000)].map((date) =>
      date.toLocaleDateString("en-US", { dateStyle: "medium" }),
    );
    await expectText(items.first(), "Also gone?");
    const facts = (await items.first().locator(".hint").innerText()).replaceAll("\u202f", " ");
    expect(facts).toContain("2 messages");
    expect(facts).toContain(`deleted ${deleted}`);
    expect(facts).toContain(`deleted forever on ${removed}`);

    const restore = page.getByRole("button", { name: "Restore Also gone?" });
    const description = "return document.getElementById(element.getAttribute('aria-describedby')).textContent";
    expect(await onElement(restore, description)).toMatch(/2 messages · deleted /);
    expect(await restoreTwice(page, restore)).toBe(1);
    await expectText(toast(page), "Chat restored");
    expect(await isSeen(page.getByRole("button", { name: "Empty the bin" }))).toBe(true);
    await expect.poll(() => items.count()).toBe(1);
    await rows(page).getByRole("link", { name: "Also gone?" }).waitFor();
    expect(await focused(page)).toBe("Restore Gone?");

    await page.getByRole("button", { name: "Delete forever: Gone?" }).click();
    expect(await focused(page)).toBe("Cancel");
    await page.keyboard.press("Enter");
    expect(await items.count()).toBe(1);
    await page.getByRole("button", { name: "Delete forever: Gone?" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete forever" }).click();
    await page.getByText("The bin is empty").waitFor();
    expect(await focused(page)).not.toBe("nothing");
    await page.goto(paths[0] ?? "");
    await page.getByRole("heading", { name: "Chat not found" }).waitFor();
  });

  test("has pages, and is emptied after a question", async () => {
    await call("DELETE", "/bin");
    for (let count = 0; count < 55; count++) {
      const { id } = (await (await call("POST", "/chats")).json()) as { id: string };
      await call("DELETE", `/chats/${id}`);
    }
    const page = await openPage(browser, chat.url);
    await page.goto("/bin");
    const items = page.getByRole("list", { name: "Chats in the bin" }).getByRole("listitem");
    await expect.poll(() => items.count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => items.count()).toBe(55);
    expect(await onElement(items.nth(49), "return element.contains(document.activeElement)")).toBe(true);
    await page.getByRole("button", { name: "Empty the bin" }).click();
    await expectText(page.getByRole("dialog"), "All 55 chats in the bin will be deleted forever.");
    await page.getByRole("dialog").getByRole("button", { name: "Delete forever" }).click();
    await page.getByText("The bin is empty").waitFor();
    expect(await page.getByRole("button", { name: "Empty the bin" }).count()).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  });
});
