import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { answered, card, expectText, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQSgvBihiGlgQAp3Q1AYFye1kAAAAASUVORK5CYII=",
  "base64",
);
const HOSTILE = `assets/<img src=x onerror=alert(1)>" onload="alert(1).png`;

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      skills: {
        "tea/SKILL.md": skillMd("tea", "Makes tea."),
        "tea/assets/leaf.png": PIXEL,
        "tea/assets/old.png": PIXEL,
        [`tea/${HOSTILE}`]: PIXEL,
        "tea/assets/page.png": Buffer.concat([Buffer.from("<script>alert(1)</script>"), Buffer.from([0, 255])]),
        "tea/assets/tea.zip": Buffer.from("PK\x03\x04\0\xff", "latin1"),
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** Lets the model read the file, and returns the page and the card. */
async function read(path: string) {
  script.splice(
    0,
    script.length,
    { call: "skills_read_resource", input: { name: "tea", path } },
    { say: "That is all." },
  );
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await send(page, "Show me.");
  await answered(page);
  return { page, shown: card(page, "skills.readResource", `tea / ${path}`) };
}

/** The width of the picture in the card; 0 if it was not loaded. */
const widthOf = (page: Page) =>
  page.locator(".tool-card img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);

test("a picture that the model read has a preview and a download, also after a reload", async () => {
  const { page, shown } = await read("assets/leaf.png");
  const check = async () => {
    await expectText(shown, `${PIXEL.length} B`);
    await expect.poll(() => widthOf(page)).toBe(8);
    const [download] = await Promise.all([page.waitForEvent("download"), shown.getByRole("link").click()]);
    expect(download.suggestedFilename()).toBe("leaf.png");
  };
  await check();
  expect(model.requests.at(-1)?.files.map(({ bytes }) => Buffer.from(bytes))).toEqual([PIXEL]);
  await page.reload();
  await check();
});

test("a page with the name of a picture has no preview, and its download runs nothing", async () => {
  const { page, shown } = await read("assets/page.png");
  await expectText(shown, /'assets\/page\.png' is a binary file: binary not supported/);
  await expect.poll(() => page.locator(".tool-card img").count()).toBe(0);
  const address = await shown.getByRole("link").getAttribute("href");
  const response = await page.request.get(new URL(address ?? "", chat.url).href);
  expect(response.headers()["content-disposition"]).toMatch(/^attachment/);
  expect(response.headers()["content-type"]).toBe("application/octet-stream");
});

test("a file that is no picture has a download", async () => {
  const { page, shown } = await read("assets/tea.zip");
  const [download] = await Promise.all([page.waitForEvent("download"), shown.getByRole("link").click()]);
  expect(download.suggestedFilename()).toBe("tea.zip");
  expect(await page.locator(".tool-card img").count()).toBe(0);
});

test("a hostile name is text in the card, and its picture has a preview", async () => {
  const { page, shown } = await read(HOSTILE);
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await expect.poll(() => widthOf(page)).toBe(8);
  await expectText(shown.getByRole("link"), HOSTILE);
  expect(await page.locator(".tool-card img").count()).toBe(1);
  expect(dialogs).toBe(0);
});

test("a picture that has changed is marked, and one that is gone is named", async () => {
  const { page, shown } = await read("assets/old.png");
  const file = join(chat.skillsFolder, "tea/assets/old.png");
  writeFileSync(file, Buffer.concat([PIXEL, Buffer.from("more")]));
  await page.reload();
  await expectText(shown, /changed/);
  rmSync(file);
  await page.reload();
  await expectText(shown, /assets\/old\.png is no longer available/);
});
