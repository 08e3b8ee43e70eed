import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { answered, expectText, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const SHELVES = Array.from({ length: 40 }, (_, at): [string, string] => [
  `shelf-${at}/SKILL.md`,
  skillMd(`shelf-${at}`, `Knows what is on shelf ${at} of the archive, who may take it, and when it was last counted.`),
]);

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script, { isSide: () => false });
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      modelFields: "max_prompt_tokens = 5000, price = { input = 3.0, output = 15.0 }",
      scripts: "auto",
      catalogTokens: 600,
      skills: {
        "tea/SKILL.md": skillMd("tea", "Makes tea."),
        "tea/scripts/brew.sh": "echo brewed\n",
        ...Object.fromEntries(SHELVES),
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

const panel = (page: Page) => page.getByRole("complementary", { name: "What the model saw" });
const step = (page: Page, number: number) =>
  panel(page)
    .locator(".seen-step")
    .nth(number - 1);
const open = async (): Promise<Page> => {
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await page.goto("/");
  return page;
};
const show = (page: Page) => page.getByRole("button", { name: "What the model saw", exact: true }).last().click();

test("the panel shows costs, a denied script, and what the catalog and an attached file lack", async () => {
  script.splice(
    0,
    script.length,
    { call: "skills_activate", input: { name: "tea" } },
    { call: "skills_run_script", input: { name: "tea", script: "scripts/brew.sh" } },
    { say: "Then not." },
  );
  const page = await open();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach files", exact: true }).click(),
  ]);
  await chooser.setFiles([{ name: "orders.txt", mimeType: "text/plain", buffer: Buffer.from("x".repeat(20_000)) }]);
  await page.locator(".composer-files > li.done").waitFor();
  await send(page, "Brew what was ordered.");
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await answered(page);
  await expectText(page.locator(".seen-usage"), /^3 steps · [\d,]+ tokens · \$0\.0\d+$/);
  await show(page);
  const totals = panel(page).getByRole("region", { name: "Totals" });
  await expectText(totals, /Input\s+[\d,]+\s*tokens\s+Output\s+\d+\s*tokens\s+Cost\s+\$0\.0\d+\s+Time/);
  await expectText(step(page, 1).locator(".seen-step-head"), /^Step 1\s+[\d,]+ in · \d+ out · \$0\.0\d+$/);
  await expectText(step(page, 1), /Left out the end of orders\.txt: only 8,000 characters fit\s+19\.5 KB/);
  await expectText(step(page, 1), /Listed 41 skills\s+\d+ tokens · \d+ shortened · .*to fit 600 tokens/);
  await expectText(step(page, 2), /Denied\s+scripts of tea[\s\S]*Did not run scripts\/brew\.sh\s+refused · tea/);
  await expectText(panel(page).locator(".seen-foot"), /^This chat: 1 answer · 3 steps · [\d,]+ tokens · \$0\.0\d+$/);
  expect(await axeViolations(page)).toEqual([]);
});

test("the panel shows how many messages were left out, and why", async () => {
  const long = "All work and no play makes a long chat. ".repeat(150);
  script.splice(0, script.length, ...Array<ScriptStep>(4).fill({ say: "Noted." }));
  const page = await open();
  for (let turn = 1; turn <= 4; turn++) {
    await say(page, `Turn ${turn}. ${long}`);
    await expect.poll(() => page.locator(".message.assistant .seen-usage").count()).toBe(turn);
  }
  await show(page);
  await expectText(step(page, 1), /Left out \d earlier messages?: over the limit of 5,000 tokens/);
});

test("tokens and costs that are estimated start with ≈, in the totals and in the step", async () => {
  script.splice(0, script.length, { fail: { status: 400, message: "No." } });
  const page = await open();
  await send(page, "Hello?");
  await page.getByText("What the model saw").waitFor();
  await show(page);
  await expectText(step(page, 1).locator(".seen-step-head"), /^Step 1\s+≈ [\d,]+ in · ≈ 0 out · ≈ \$0\.0\d+$/);
  await expectText(panel(page).getByRole("region", { name: "Totals" }), /Input\s+≈ [\d,]+/);
});

test("a skeleton is in the panel until its steps are there", async () => {
  script.splice(0, script.length, { say: "Hello." });
  const page = await open();
  await say(page, "Hello?");
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/steps", async (route) => {
    await released;
    await route.continue();
  });
  await show(page);
  await panel(page).getByText("Loading what the model saw…").waitFor();
  await panel(page).locator(".bone").first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  release();
  await step(page, 1).waitFor();
  expect(await panel(page).locator(".bone").count()).toBe(0);
});
