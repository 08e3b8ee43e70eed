import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { answered, composer, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { onElement } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script, { isSide: () => false });
  const skills = {
    "notes/SKILL.md": skillMd("notes", "Takes notes.", "Be **brief**.\n"),
    "notes/template.md": "One line a note.\n",
  };
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

async function openScripted(steps: readonly ScriptStep[], options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
  script.splice(0, script.length, ...steps);
  const page = await openPage(browser, chat.url, options);
  await page.goto("/");
  await composer(page).waitFor();
  return page;
}

/** How opaque an element is, with everything that it is in. */
const opacityOf = (locator: Locator) =>
  onElement<number>(
    locator,
    `let opacity = 1;
    for (let one = element; one !== null; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
    return opacity;`,
  );

describe("an answer", () => {
  test("that is not the last one still shows its model, time, tokens and the way to what the model saw", async () => {
    const page = await openScripted([{ say: "The first." }, { say: "The second." }]);
    await say(page, "One?");
    await say(page, "Two?");
    const first = page.locator(".message.assistant").first();
    await page.mouse.move(640, 4);
    const shown = [".seen-action", ".seen-usage", ".answer-facts"].map((part) => first.locator(part));
    for (const part of shown) expect(await opacityOf(part)).toBe(1);
    await expectText(first.locator(".seen-usage"), /\d tokens/);
    await expectText(first.locator(".answer-facts"), /with-tools · \d{1,2}:\d{2}/);
    const copy = first.getByRole("button", { name: "Copy answer" });
    await expect.poll(() => opacityOf(copy)).toBeLessThan(1);
    await first.hover();
    await expect.poll(() => opacityOf(copy)).toBe(1);
    // The facts have their own room above the next question.
    const [facts, question] = [await shown[0]?.boundingBox(), await page.locator(".bubble").last().boundingBox()];
    expect((facts?.y ?? 0) + (facts?.height ?? 0)).toBeLessThan(question?.y ?? 0);
  });

  test("has cards whose names are the sentences that people read, with the name of the tool inside", async () => {
    const page = await openScripted([
      { call: "skills_activate", input: { name: "notes" } },
      { call: "skills_read_resource", input: { name: "notes", path: "template.md" } },
      { call: "skills_activate", input: { name: "notes" } },
      { say: "Noted." },
    ]);
    await say(page, "Take a note.");
    const used = page.getByRole("article", { name: /^Used notes · \d+ tokens$/ });
    const again = page.getByRole("article", { name: "Used notes", exact: true });
    const read = page.getByRole("article", { name: /^Read template\.md · notes · \d+ tokens$/ });
    for (const [shown, tool] of [
      [used, "skills_activate"],
      [again, "skills_activate"],
      [read, "skills_read_resource"],
    ] as const) {
      const head = shown.locator(".tool-head");
      if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
      await expectText(shown.locator(".tool-wire"), tool);
    }
    expect(await page.getByRole("article").count()).toBe(3);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("a message", () => {
  test("shows fenced code as a block, and everything else as it was typed", async () => {
    const page = await openScripted([{ say: "Fine." }]);
    const code = `const total = rows.reduce((sum, { amount }) => sum + amount, 0); // ${"a long line ".repeat(20)}`;
    const typed = `/notes Is *this* right?\n\n\`\`\`ts\n${code}\n\`\`\`\n\n# Not a heading`;
    await composer(page).fill(typed);
    await page.keyboard.press("Enter");
    await answered(page);
    const bubble = page.locator(".message.user .bubble");
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await expectText(bubble.locator(".command"), /^\/notes$/);
      expect(await bubble.locator("p").allInnerTexts()).toEqual(["/notes Is *this* right?", "# Not a heading"]);
      expect(await bubble.locator("pre").innerText()).toBe(code);
      await bubble.getByRole("button", { name: "Copy ts" }).waitFor();
    }
    expect(await page.evaluate("document.querySelector('.conversation').scrollWidth <= innerWidth")).toBe(true);
    expect(await onElement(bubble, "return element.scrollWidth <= element.clientWidth")).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy message" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(typed);
  });

  test("of files alone has nothing to copy", async () => {
    const page = await openScripted([{ say: "A table." }]);
    const file = { name: "sales.csv", mimeType: "text/csv", buffer: Buffer.from("city,sales\nOslo,52\n") };
    await page.locator("input[type=file]").setInputFiles([file]);
    await page.locator(".composer-files > li.done").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await answered(page);
    const question = page.locator(".message.user");
    await question.getByRole("button", { name: "Edit message" }).waitFor();
    expect(await question.getByRole("button", { name: "Copy message" }).count()).toBe(0);
  });

  test("that is edited on a phone gets a line break from Enter, and is sent with the button", async () => {
    const page = await openScripted([{ say: "One." }, { say: "Two." }], PHONE);
    await composer(page).fill("First");
    await page.getByRole("button", { name: "Send" }).click();
    await answered(page);
    await page.getByRole("button", { name: "Edit message" }).click();
    const field = page.getByRole("textbox", { name: "Edit message" });
    await field.fill("Second");
    await field.press("Enter");
    await field.pressSequentially("line");
    expect(await field.inputValue()).toBe("Second\nline");
    await page.locator(".edit-message").getByRole("button", { name: "Send" }).click();
    await expectText(page.locator(".message.assistant"), "Two.");
    await expectText(page.locator(".bubble"), /^Second\nline$/);
  });

  test("that is edited stays open when Escape ends a composition", async () => {
    const page = await openScripted([{ say: "One." }]);
    await say(page, "First");
    await page.getByRole("button", { name: "Edit message" }).click();
    const field = page.getByRole("textbox", { name: "Edit message" });
    await field.fill("にほん");
    const press = (isComposing: boolean) =>
      onElement(
        field,
        `element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", isComposing: ${isComposing}, bubbles: true }));`,
      );
    await press(true);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await field.inputValue()).toBe("にほん");
    await press(false);
    await field.waitFor({ state: "detached" });
  });
});

describe("the button of a menu", () => {
  const dots = (page: Page) => page.getByRole("navigation", { name: "Chats" }).getByRole("button").first();

  test("has dots that are easy to see", async () => {
    const page = await openScripted([{ say: "One." }]);
    await say(page, "First");
    await page.mouse.move(640, 4);
    const [stroke, color, soft] = await onElement<string[]>(
      dots(page),
      `const probe = element.appendChild(document.createElement("i"));
      probe.style.color = "var(--ink-soft)";
      const colors = [getComputedStyle(element).color, getComputedStyle(probe).color];
      probe.remove();
      return [getComputedStyle(element.querySelector("svg")).strokeWidth, ...colors];`,
    );
    expect(stroke).toBe("3.4px");
    expect(color).toBe(soft);
  });

  test("is large enough for a finger on a phone", async () => {
    const page = await openScripted([{ say: "One." }], PHONE);
    await composer(page).fill("First");
    await page.getByRole("button", { name: "Send" }).click();
    await answered(page);
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await dots(page).waitFor();
    const box = await dots(page).boundingBox();
    expect([box?.width, box?.height]).toEqual([40, 40]);
    const link = await page.locator(".chat-row > a").first().boundingBox();
    expect(link?.height).toBeGreaterThanOrEqual(40);
  });
});
