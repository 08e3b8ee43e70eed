import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { composer, expectText, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const CHART = "Pomegranate tea needs eighty degrees and two minutes, not more.";
const SCRIPT = [
  { call: "skills_activate", input: { name: "tea" } },
  { call: "skills_read_resource", input: { name: "tea", path: "references/chart.md" } },
  { say: "Two minutes." },
];

let chat: StartedChat;
let browser: Browser;
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
  model = await startScriptedModel(SCRIPT, { isSide: () => false, pace: "conversation" });
  chat = await startChat({
    modelUrl: model.url,
    skills: {
      "tea/SKILL.md": skillMd("tea", "Brews tea.", "Look at the chart before you answer."),
      "tea/references/chart.md": CHART,
    },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await chat[Symbol.asyncDispose]();
  await model.close();
});

const action = (page: Page) => page.getByRole("button", { name: "What the model saw", exact: true });
const panel = (page: Page) => page.getByRole("complementary", { name: "What the model saw" });

async function ask(page: Page): Promise<void> {
  await page.goto("/");
  await say(page, "How long does pomegranate tea take?");
}

test("the panel shows the context and the timeline of an answer, and Escape closes it", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await ask(page);
  await expectText(page.locator(".seen-usage"), /^3 steps · [\d,]+ tokens$/);
  await action(page).click();
  await expectText(
    panel(page).locator(".seen-legend"),
    /Catalog[\s\S]*Instructions\s*tea[\s\S]*File\s*references\/chart\.md/,
  );
  const steps = panel(page).locator(".seen-step");
  await expectText(steps.nth(0), /Listed 1 skill[\s\S]*The model called tools[\s\S]*Loaded tea\s*\d+ tokens/);
  await expectText(steps.nth(1), /Read references\/chart\.md\s*\d+ tokens · tea/);
  await expectText(steps.nth(2), /The model answered/);
  await expectText(panel(page).locator(".seen-foot"), /This chat: 1 answer · 3 steps/);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.className")).toBe("seen-action");
  expect(new URL(page.url()).search).toBe("");
});

test("Escape in the panel closes it and does not stop the answer that is being written", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await ask(page);
  await page.route("**/turn", async (route) => {
    await released;
    await route.continue();
  });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stops: string[] = [];
  page.on("request", (request) => request.url().endsWith("/stop") && stops.push(request.url()));
  await send(page, "And green tea?");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await action(page).first().click();
  await panel(page).waitFor();
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "detached" });
  expect(stops).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => stops.length).toBe(1);
  release();
});

test("a request is shown as the model received it, and says when a skill has changed since", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await ask(page);
  await action(page).click();
  const last = panel(page).locator(".seen-step").nth(2);
  await last.getByRole("button", { name: "Show the request" }).click();
  await expectText(last.locator(".seen-request-head"), /exact/);
  await last.locator("summary", { hasText: "references/chart.md" }).click();
  await expectText(last.locator(".seen-text pre"), CHART);
  expect(await axeViolations(page)).toEqual([]);

  writeFileSync(join(chat.skillsFolder, "tea/references/chart.md"), "Tea needs cold water.");
  await page.reload();
  await expectText(last.locator(".seen-step-head"), /^Step 3\s+tea changed since\s+[\d,]+ in · \d+ out$/);
  expect(await panel(page).getByText("changed since").count()).toBe(1);
  await last.getByRole("button", { name: "Show the request" }).click();
  await expectText(last.locator(".seen-request-head"), /not exact/);
  await expectText(last.locator(".seen-reasons"), /^'references\/chart\.md' of the skill 'tea' has changed since \(/);
  await last.locator("summary", { hasText: "references/chart.md" }).click();
  await expectText(last.locator(".seen-text.missing"), /'references\/chart\.md' of the skill 'tea' has changed since/);
  writeFileSync(join(chat.skillsFolder, "tea/references/chart.md"), CHART);
});

test("a reload keeps the panel open, and Back closes it", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await ask(page);
  await action(page).click();
  await panel(page).locator(".seen-step").first().waitFor();
  await page.reload();
  await panel(page).locator(".seen-step").first().waitFor();
  await page.goBack();
  await panel(page).waitFor({ state: "detached" });
  await composer(page).waitFor();
});

test("on a phone the panel is a dialog over the whole screen, and nothing is wider than it", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 390, height: 844 } });
  await ask(page);
  await action(page).click();
  const sheet = page.getByRole("dialog", { name: "What the model saw" });
  await sheet.getByRole("button", { name: "Show the request" }).first().click();
  await sheet.locator(".seen-message").first().waitFor();
  expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await page.evaluate("document.querySelector('.seen-body').scrollWidth")).toBe(390);
  expect(await axeViolations(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Close what the model saw" }).click();
  await sheet.waitFor({ state: "detached" });
});

test("an answer without a record says so", async () => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await page.route("**/steps", (route) => route.fulfill({ json: { steps: [], chat: { answers: 0, steps: 0 } } }));
  await ask(page);
  await action(page).click();
  await expectText(panel(page), /Not recorded/);
});
