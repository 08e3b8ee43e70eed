import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { answered, expectText, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script, { isSide: () => false });
  const skills = { "tea/SKILL.md": skillMd("tea", "Makes tea."), "cake/SKILL.md": skillMd("cake", "Bakes cakes.") };
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

test("while an answer is being written, the panel shows its finished steps, and then all of them", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const activate = (name: string) => ({ call: "skills_activate", input: { name } });
  const after = (gate: (typeof gates)[number], step: { say: string } | ReturnType<typeof activate>) => async () => {
    await gate.promise;
    return step;
  };
  script.push(activate("tea"), after(gates[0], activate("cake")), after(gates[1], { say: "Both are ready." }));
  const page = await openPage(browser, chat.url, { viewport: { width: 1440, height: 900 } });
  await page.goto("/");
  await send(page, "Tea and cake, please.");
  await page.getByRole("button", { name: "What the model saw", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "What the model saw" });
  const steps = panel.locator(".seen-step");
  await expectText(steps.nth(0), /Listed 2 skills[\s\S]*Loaded tea/);
  await expectText(steps.nth(1), /^Step 2\s+In progress/);
  expect(await panel.getByRole("button", { name: "Show the request" }).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  gates[0].resolve();
  await expectText(steps.nth(1), /Loaded cake/);
  await expectText(steps.nth(2), /^Step 3\s+In progress/);
  gates[1].resolve();
  await answered(page);
  await expectText(steps.nth(2), /The model answered/);
  expect(await steps.count()).toBe(3);
  await steps.nth(2).getByRole("button", { name: "Show the request" }).click();
  await expectText(steps.nth(2).locator(".seen-request-head"), /^exact/);
});
