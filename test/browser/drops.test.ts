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

const makeFolder = () => temporaryFolder({ "notes.txt": "Some notes.\n", "inner/more.txt": "More.\n" });

/** Drops files of the disk on the page, as a user does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 400, data });
}

test("a folder that is dropped is not attached, which the page says, and a file beside it is", async () => {
  const folder = makeFolder();
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await composer(page).waitFor();
  await drop(page, [`${folder}/inner`, `${folder}/notes.txt`]);
  await expectText(page.locator(".composer [role=status]"), "Folders cannot be attached, only files.");
  await expect
    .poll(() => page.locator(".composer-files > li.done").allInnerTexts())
    .toEqual([expect.stringContaining("notes.txt")]);
});

test.each(["/skills", "/bin"])("a file that is dropped on %s does not replace the page", async (path) => {
  const page = await openPage(browser, chat.url);
  const left: string[] = [];
  page.on("framenavigated", (frame) => left.push(frame.url()));
  await page.goto(path);
  await page.locator(".lead").waitFor();
  left.length = 0;
  await drop(page, [`${makeFolder()}/notes.txt`]);
  await page.getByRole("link", { name: "New chat" }).click();
  await composer(page).waitFor();
  expect(left).toEqual([`${chat.url}/`]);
});
