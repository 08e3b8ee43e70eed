import { type ScriptedModel, type ScriptStep, startScriptedModel } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { composer, expectText, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

/** Markdown that crashes the tab, overflows the parser's stack, or takes seconds to minutes to parse. */
const HOSTILE = {
  quotes: `${">".repeat(3_000)} the end`,
  emphasis: `${"***a".repeat(15_000)} the end`,
  lists: `${"- ".repeat(2_000)}the end`,
  brackets: `${"[".repeat(20_000)} the end`,
  lines: `${"- a\n---\n".repeat(10_000)} the end`,
} as const;
const NAMES = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
const NOTE = "This text is shown unformatted";

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;

beforeAll(async () => {
  const answer: ScriptStep = ({ messages }) => {
    const name = NAMES.find((one) => messages.at(-1)?.text.includes(one));
    return { say: name ? HOSTILE[name] : "An ordinary **answer**." };
  };
  model = await startScriptedModel(Array<ScriptStep>(100).fill(answer), { pace: "global" });
  const skills = Object.fromEntries(
    NAMES.map((name) => [`${name}/SKILL.md`, skillMd(name, "Is hostile.", HOSTILE[name])]),
  );
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url, skills })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

describe.each(NAMES)("S19: endless %s", (name) => {
  test("in an answer are shown as text, and the conversation continues, even after a reload", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await say(page, `Give me ${name}.`);
    for (const _ of ["at first", "again"]) {
      await expectText(page.locator(".message.assistant").first(), NOTE);
      await expectText(page.locator(".message.assistant").first(), "the end");
      await page.reload();
    }
    await composer(page).waitFor();
    await say(page, "Something ordinary.");
    await expectText(page.locator(".message.assistant strong"), "answer");
  });

  test("in a skill are shown as text on its page", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto(`/skills/${name}`);
    await expectText(page.locator(".instructions"), NOTE);
    await expectText(page.locator(".instructions"), "the end");
    expect(await page.getByRole("link", { name: "All skills" }).isVisible()).toBe(true);
  });
});
