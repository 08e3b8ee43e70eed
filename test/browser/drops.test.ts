import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { composer, expectText } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  [browser, chat] = await Promise.all([openBrowser(), startChat()]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

/** Drops files of the disk on the page, as a user does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 400, data });
}

test("a folder that is dropped is not attached, which the page says, and a file beside it is", async () => {
  const folder = temporaryFolder({ "notes.txt": "Some notes.\n", "inner/more.txt": "More.\n" });
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await composer(page).waitFor();
  await drop(page, [`${folder}/inner`, `${folder}/notes.txt`]);
  await expectText(page.locator(".composer [role=status]"), "Folders cannot be attached, only files.");
  await expect
    .poll(() => page.locator(".composer-files > li.done").allInnerTexts())
    .toEqual([expect.stringContaining("notes.txt")]);
});

test.each(["/skills", "/bin"])(
  "a file that is dropped on %s is refused, so that the browser stays on the page",
  async (path) => {
    const page = await openPage(browser, chat.url);
    await page.goto(path);
    await page.locator(".lead").waitFor();
    // A headless browser does not open dropped files, so this asks what it would do.
    const isRefused = (type: string, data: string) =>
      page.evaluate(`{
      const data = new DataTransfer();
      ${data};
      const event = new DragEvent("${type}", { bubbles: true, cancelable: true, dataTransfer: data });
      document.querySelector("main").dispatchEvent(event);
      event.defaultPrevented;
    }`);
    const file = 'data.items.add(new File(["x"], "notes.txt"))';
    expect(await isRefused("dragover", file)).toBe(true);
    expect(await isRefused("drop", file)).toBe(true);
    expect(await isRefused("drop", 'data.setData("text/plain", "words")')).toBe(false);
  },
);
