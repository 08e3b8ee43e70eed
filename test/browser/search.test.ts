import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSkills, searchingStep } from "../many-skills.ts";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { card, chips, chooseModel, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const made = makeSkills(500);
const wanted = made[444] as (typeof made)[number];
let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  const files = made.map(({ name, description, body }) => [`${name}/SKILL.md`, skillMd(name, description, body)]);
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({ modelUrl: model.url, catalogTokens: 1_000, skills: Object.fromEntries(files) }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

test("a search has a card with the query and the skills that were found, also after a reload", async () => {
  const step = searchingStep({ search: "skills_search", activate: "skills_activate" });
  script.push(step, step, step);
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, wanted.request);
  expect(model.requests[0]?.system).not.toContain(wanted.description);
  const search = card(page, "skills.search", wanted.request);
  for (const state of ["answered", "reloaded"]) {
    await expectText(search, wanted.description);
    expect(await search.locator("li").count(), state).toBe(5);
    await expectText(search, "Searched skills for");
    await card(page, "skills.activate", wanted.name).waitFor();
    await expectText(chips(page), wanted.name);
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
  }
  // The next request repeats the results of the search.
  script.push({ say: "You are welcome." });
  await say(page, "Thanks.");
  expect(model.requests.at(-1)?.toolResults[0]?.text).toContain(`**${wanted.name}**`);
});

test("the offline model searches too, and a search without results says so", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await chooseModel(page, "Offline demo");
  await say(page, "Explain quantum chromodynamics");
  await expectText(card(page, "skills.search", "explain quantum chromodynamics"), "No skill fits.");
});
