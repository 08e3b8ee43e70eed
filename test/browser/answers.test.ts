import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { answered, card, chips, composer, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
/** The model's next steps, for any chat. */
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      skills: {
        "notes/SKILL.md": skillMd("notes", "Takes notes. Use when asked for notes.", "Be **brief**.\n"),
        "notes/template.md": "One line a note.\n",
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** Opens a page on a chat whose model follows the steps. */
async function openScripted(steps: readonly ScriptStep[]): Promise<Page> {
  script.splice(0, script.length, ...steps);
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  return page;
}

const ACTIVATE = { call: "skills_activate", input: { name: "notes" } };
const readFile = (path: string) => ({ call: "skills_read_resource", input: { name: "notes", path } });

describe("a model", () => {
  test("that activates a skill is shown with cards, including refused calls", async () => {
    const page = await openScripted([
      ACTIVATE,
      { calls: [readFile("template.md"), readFile("../secret.md")] },
      { say: "Here is the [note](https://example.com/note):\n\n```md\n- one\n```" },
    ]);
    expect(await page.getByText("Offline demo: no language model").count()).toBe(0);
    await say(page, "Take a note of this.");
    await expectText(card(page, "skills.activate", "notes"), "Used notes");
    await expectText(card(page, "skills.readResource", "notes / template.md"), "One line a note.");
    const refused = card(page, "skills.readResource", "notes / ../secret.md");
    await expectText(refused, /failed\s+Path traversal is not allowed/);
    await expectText(chips(page), "notes");
    const link = page.getByRole("link", { name: "note", exact: true }).last();
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await page.getByRole("button", { name: "Copy md" }).count()).toBe(1);
    await page.reload();
    await expectText(card(page, "skills.activate", "notes"), "Used notes");
  });

  test("that fails is reported with a readable error and a retry button, also after a reload", async () => {
    const page = await openScripted([
      { fail: { status: 400, message: "The model is asleep." } },
      { say: "Now I am awake." },
    ]);
    await composer(page).fill("Good morning");
    await page.keyboard.press("Enter");
    const alert = page.locator(".conversation").getByRole("alert");
    await expectText(alert, "The model is asleep.");
    await page.reload();
    await expectText(alert, "The model is asleep.");
    await alert.getByRole("button", { name: "Try again" }).click();
    await expectText(page.locator(".message.assistant"), "Now I am awake.");
    expect(await page.locator(".message.user").count()).toBe(1);
    expect(await alert.count()).toBe(0);
  });
});

describe("an answer", () => {
  test("that is stopped keeps its text so far with a note, and returns the focus to the message field", async () => {
    const page = await openScripted([{ ...ACTIVATE, say: "Let me see." }, { hang: true }]);
    await composer(page).fill("Take a note.");
    await page.keyboard.press("Enter");
    await card(page, "skills.activate", "notes").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await answered(page);
    const answer = page.locator(".message.assistant");
    await expectText(answer, /Let me see[\s\S]+You stopped this answer\./);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Message");
    await page.reload();
    await expectText(answer, /Let me see[\s\S]+You stopped this answer\./);
  });

  test("that is missing is noted, with a button to regenerate it", async () => {
    const page = await openScripted([{ hang: true }, { say: "Here I am." }]);
    await composer(page).fill("Are you there?");
    await page.keyboard.press("Enter");
    await expect.poll(() => script.length).toBe(1);
    await page.getByRole("button", { name: "Stop" }).click();
    const note = page.getByText("This message has no answer.");
    await note.waitFor();
    await page.reload();
    await note.waitFor();
    await page.getByRole("button", { name: "Regenerate" }).click();
    await expectText(page.locator(".message.assistant"), "Here I am.");
    expect(await note.count()).toBe(0);
  });

  test("can be regenerated", async () => {
    const page = await openScripted([{ say: "The first answer." }, { say: "The second answer." }]);
    await say(page, "Answer me.");
    await page.getByRole("button", { name: "Regenerate" }).click();
    await expectText(page.locator(".message.assistant"), "The second answer.");
    await answered(page);
    expect(await page.locator(".message").getByText("The first answer.").count()).toBe(0);
    await page.reload();
    await page.locator(".message").nth(1).waitFor();
    expect(await page.locator(".message").count()).toBe(2);
  });

  test("that is running during a reload appears when it is complete", async () => {
    const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
    const page = await openScripted([
      async () => {
        await goOn;
        return { say: "Worth the wait." };
      },
    ]);
    await composer(page).fill("Take your time.");
    await page.keyboard.press("Enter");
    await page.getByText("Waiting for the answer…").waitFor();
    await page.reload();
    await page.getByText("Waiting for the answer…").waitFor();
    letGo();
    await expectText(page.locator(".message.assistant"), "Worth the wait.");
    await page.getByRole("button", { name: "Send" }).waitFor();
  });
});

describe("a message", () => {
  test("can be edited, which replaces everything after it", async () => {
    const page = await openScripted([{ say: "Cats, then." }, { say: "More cats." }, { say: "Dogs, then." }]);
    await say(page, "I like cats.");
    await say(page, "Very much.");
    await page.getByRole("button", { name: "Edit message" }).first().click();
    await page.getByRole("textbox", { name: "Edit message" }).fill("I like dogs.");
    await page.keyboard.press("Enter");
    await expectText(page.locator(".message.assistant"), "Dogs, then.");
    await answered(page);
    expect(await page.locator(".message.user").allInnerTexts()).toEqual([expect.stringContaining("I like dogs.")]);
  });
});
