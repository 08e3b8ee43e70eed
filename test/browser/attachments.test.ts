import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { answered, card, composer, expectText, runOnce, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { PROJECT, type StartedChat, startChat } from "./start-chat.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQSgvBihiGlgQAp3Q1AYFye1kAAAAASUVORK5CYII=",
  "base64",
);
const CSV = "city,sales\nTurin,188\nOslo,52\nTurin,3\n";
const SALES = { name: "sales.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) };
const DOT = { name: "dot.png", mimeType: "image/png", buffer: PNG };

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script, { isSide: () => false });
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

async function open(): Promise<Page> {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await composer(page).waitFor();
  return page;
}

const draftFiles = (page: Page) => page.locator(".composer-files > li");
const messageFiles = (page: Page) => page.locator(".message.user .attached").last();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Chooses files with the button. */
async function choose(page: Page, files: Parameters<Page["setInputFiles"]>[1]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, "Attach files").click()]);
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles(files);
}

const isDone = (page: Page, count: number) =>
  expect.poll(() => page.locator(".composer-files > li.done").count()).toBe(count);

/** Fires an event with a file on the page, as a drop or a paste does. */
async function fire(page: Page, kind: "dragenter" | "drop" | "paste", name: string, more: FireOptions = {}) {
  const { text = "", content = JSON.stringify(CSV) } = more;
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File([${content}], ${JSON.stringify(name)}));
    if (${JSON.stringify(text)} !== "") data.setData("text/plain", ${JSON.stringify(text)});
    const init = { bubbles: true, cancelable: true };
    if ("${kind}" === "paste")
      document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
    else document.body.dispatchEvent(new DragEvent("${kind}", { ...init, dataTransfer: data }));
  }`);
}

interface FireOptions {
  /** The text that is in the clipboard too. */
  readonly text?: string;
  /** The content of the file, as an expression. */
  readonly content?: string;
}

const focused = (page: Page) => page.evaluate("document.activeElement?.getAttribute('aria-label')");

/** The parts of the last user message that the model got. */
function lastParts() {
  const body = model.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] } | undefined;
  return body?.messages.findLast(({ role }) => role === "user")?.content as { type: string; text?: string }[];
}

describe("files are attached", () => {
  test("with the button to a new chat, and the model gets the text of a CSV file and the image", async () => {
    const page = await open();
    await choose(page, [SALES, DOT]);
    await isDone(page, 2);
    await expectText(draftFiles(page).first(), /sales\.csv\n37 B/);
    expect(await draftFiles(page).last().locator("img").count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    script.push({ say: "A table and a dot." });
    await send(page, "What is this?");
    await answered(page);
    expect(await draftFiles(page).count()).toBe(0);
    expect(lastParts().map(({ type }) => type)).toEqual(["text", "text", "image_url"]);
    expect(lastParts()[0]?.text).toBe("What is this?");
    expect(lastParts()[1]?.text).toContain(`<attachment name="sales.csv" type="text/csv" bytes="37">\n${CSV}`);
    const check = async () => {
      await expectText(messageFiles(page), /sales\.csv/);
      const image = messageFiles(page).getByRole("img", { name: "dot.png" });
      await expect
        .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
        .toBe(8);
    };
    await check();
    await page.reload();
    await check();
    expect(await axeViolations(page)).toEqual([]);
  });

  test("by dropping them anywhere, with a sign while they are dragged", async () => {
    const page = await open();
    await fire(page, "dragenter", "sales.csv");
    await expectText(page.locator(".file-drop"), /Drop files to attach them\s+Up to 10 files, 20 MB each/);
    await fire(page, "drop", "sales.csv");
    await isDone(page, 1);
    expect(await page.locator(".file-drop").count()).toBe(0);
  });

  test("by pasting them, but not the picture that comes with copied text", async () => {
    const page = await open();
    await composer(page).focus();
    await fire(page, "paste", "image.png", { text: "copied cells" });
    await fire(page, "paste", "sales.csv");
    await isDone(page, 1);
    await expectText(draftFiles(page), /sales\.csv/);
    await fire(page, "paste", "named.txt", { text: "named.txt" });
    await isDone(page, 2);
  });

  test("with a keyboard: the button is reached with Tab, and removing a file returns to the field", async () => {
    const page = await open();
    await composer(page).focus();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Attach files");
    await page.locator("input[type=file]").setInputFiles([SALES]);
    await isDone(page, 1);
    await button(page, "Remove sales.csv").focus();
    await page.keyboard.press("Enter");
    expect(await draftFiles(page).count()).toBe(0);
    expect(await focused(page)).toBe("Message");
    await expectText(page.locator(".composer [role=status]"), /sales\.csv was removed\./);
  });
});

test("a file that was not uploaded says why, can be retried, and the message waits for it", async () => {
  const page = await open();
  await page.route("**/api/files?**", (route) => route.abort());
  await choose(page, [SALES]);
  await expectText(draftFiles(page), /The connection was lost\./);
  await composer(page).fill("What is this?");
  expect(await button(page, "Send").isDisabled()).toBe(true);
  await page.unroute("**/api/files?**");
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/files?**", async (route) => {
    await released;
    await route.continue();
  });
  await button(page, "Retry sales.csv").click();
  script.push({ say: "A table." });
  await button(page, "Send").click();
  await expectText(page.locator(".files-note"), /The message is sent when its files are uploaded\./);
  expect(await page.locator(".message").count()).toBe(0);
  release();
  await answered(page);
  expect(lastParts()[1]?.text).toContain("sales.csv");
});

test("a message without text is not sent when its only file is removed while it uploads", async () => {
  const page = await open();
  await page.route("**/api/files?**", () => {});
  let chats = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/chats")) chats++;
  });
  await choose(page, [SALES]);
  await button(page, "Send").click();
  await expectText(page.locator(".files-note"), /The message is sent when its files are uploaded\./);
  await button(page, "Remove sales.csv").click();
  await expect.poll(() => draftFiles(page).count()).toBe(0);
  await composer(page).fill("Later");
  expect(await button(page, "Send").isEnabled()).toBe(true);
  expect([chats, await page.locator(".message").count(), new URL(page.url()).pathname]).toEqual([0, 0, "/"]);
});

test("files that are too many or too large say so, and the others stay", async () => {
  const page = await open();
  const many = Array.from({ length: 12 }, (_, at) => ({ ...SALES, name: `sales-${at}.csv` }));
  await choose(page, many);
  await isDone(page, 10);
  await page.reload();
  await isDone(page, 10);
  for (const file of many.slice(0, 9)) await button(page, `Remove ${file.name}`).click();
  await fire(page, "drop", "large.bin", { content: "new Uint8Array(20 * 1024 * 1024 + 1)" });
  await expectText(draftFiles(page).last(), /large\.bin\nLarger than 20 MB/);
  expect(await button(page, "Retry large.bin").count()).toBe(0);
  await button(page, "Remove large.bin").click();
  await choose(page, many);
  await expectText(page.locator(".composer [role=status]"), /A message can have 10 files\. 3 files were left out\./);
});

test("a draft keeps its files across a reload, and a sent one does not", async () => {
  const page = await open();
  await choose(page, [SALES, DOT]);
  await isDone(page, 2);
  await page.reload();
  await isDone(page, 2);
  script.push({ say: "A table." });
  await composer(page).focus();
  await button(page, "Send").click();
  await answered(page);
  await expectText(page.getByRole("heading", { level: 1 }), "sales.csv");
  await page.reload();
  await expectText(messageFiles(page), /sales\.csv/);
  expect(await draftFiles(page).count()).toBe(0);
  await page.goto("/");
  await composer(page).waitFor();
  expect(await draftFiles(page).count()).toBe(0);
});

test("files open in a dialog: a table, a text, a picture, and each can be downloaded", async () => {
  const page = await open();
  const html = { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<script>alert(1)</script>") };
  await choose(page, [SALES, DOT, html]);
  script.push({ say: "Three files." });
  await send(page, "Look.");
  await answered(page);
  await messageFiles(page).getByRole("button", { name: "Open sales.csv" }).click();
  const dialog = page.getByRole("dialog");
  await expectText(dialog.locator("th"), /city\nsales/);
  expect(await dialog.locator("tbody tr").count()).toBe(3);
  expect(await axeViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("sales.csv");
  expect(readFileSync(await download.path(), "utf8")).toBe(CSV);
  await page.keyboard.press("Escape");
  await messageFiles(page).getByRole("button", { name: "Open dot.png" }).click();
  await dialog.getByRole("img", { name: "dot.png" }).waitFor();
  await page.keyboard.press("Escape");
  await messageFiles(page).getByRole("button", { name: "Open page.html" }).click();
  await expectText(dialog.locator("pre"), "<script>alert(1)</script>");
  expect(await page.evaluate("document.activeElement?.closest('dialog') !== null")).toBe(true);
});

test("an edited message keeps its files", async () => {
  const page = await open();
  await choose(page, [SALES]);
  script.push({ say: "One." }, { say: "Two." });
  await send(page, "First.");
  await answered(page);
  await button(page, "Edit message").click();
  await page.getByRole("textbox", { name: "Edit message" }).fill("Second.");
  await page.keyboard.press("Enter");
  await expectText(page.locator(".message.assistant").last(), /Two\./);
  await expectText(messageFiles(page), /sales\.csv/);
  expect(lastParts()[0]?.text).toBe("Second.");
  expect(lastParts()[1]?.text).toContain("sales.csv");
});

test("an edit may remove all text of a message with files", async () => {
  const page = await open();
  await choose(page, [SALES]);
  script.push({ say: "Three." }, { say: "Four." });
  await send(page, "First.");
  await answered(page);
  await button(page, "Edit message").click();
  await page.getByRole("textbox", { name: "Edit message" }).fill("");
  await page.keyboard.press("Enter");
  await expectText(page.locator(".message.assistant").last(), /Four\./);
  await expectText(messageFiles(page), /sales\.csv/);
  expect(await page.locator(".message.user .bubble").count()).toBe(0);
});

test("a newcomer drops a CSV file, sends /data-summary to the offline demo, and gets a summary of it", async () => {
  await using defaults = await startChat({ configFile: join(PROJECT, "apps/chat/config.toml") });
  const page = await openPage(browser, defaults.url);
  await page.goto("/");
  await composer(page).waitFor();
  await fire(page, "dragenter", "sales.csv");
  await fire(page, "drop", "sales.csv");
  await isDone(page, 1);
  await send(page, "/data-summary");
  const shown = card(page, "skills.runScript", "data-summary / scripts/summarise.mjs");
  await expectText(shown, /scripts\/summarise\.mjs '?\$OUTPUT_DIR\/sales\.csv/);
  await runOnce(page).click();
  await answered(page);
  await expectText(shown.locator(".tool-head"), "exit 0");
  const answer = page.locator(".message.assistant .markdown").last();
  await expectText(answer, /rows: 3/);
  await expectText(answer.locator("td"), /city[\s\S]*text[\s\S]*Turin \(2\)/);
  await expectText(answer.locator("td"), /sales[\s\S]*number/);
  await expectText(answer, /offline demo without a language model/);
});
