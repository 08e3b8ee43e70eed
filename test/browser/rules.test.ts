import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { answered, card, chips, expectText, say, send, unload } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const RULES = `allowed-tools: Read Bash(git:*)
disallowed-tools: WebFetch
triggers:
  keywords: [tea]
  verbs: [brew]
toolsets: ["toolsets/index:Kettle"]
metadata:
  version: "1.2.0"
  author: Ada
  requires: node
`;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const COMMAND = "no-such-command-of-ours";

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
      scripts: "embedded",
      triggers: "activate",
      skills: {
        "tea/SKILL.md": skillMd("tea", "Makes tea.", "Warm the pot.", RULES),
        "cake/SKILL.md": skillMd("cake", "Bakes a cake."),
        "cake/scripts/bake.sh": "echo baked\n",
        "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "x", `metadata:\n  requires: ${COMMAND}\n`),
        "plain/SKILL.md": skillMd("plain", "Has no rules."),
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

const BAKE = { call: "skills_run_script", input: { name: "cake", script: "scripts/bake.sh" } };

describe("a script that an active skill does not allow", () => {
  test("is a card that says what to change, also after a reload, and asks once the skill is unloaded", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    script.splice(0, script.length, BAKE);
    await say(page, "/tea and a cake");
    const denied = card(page, "skills.runScript", "cake / scripts/bake.sh");
    const sentence =
      /The skill tea does not allow this call\.\s+To allow it, add Bash\(cake\/scripts\/bake\.sh:\*\) to allowed-tools in its SKILL\.md, or unload tea in the message field\./;
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await expectText(denied, sentence);
      await expectText(denied, "not allowed");
      expect(await page.locator(".tool-card.failed, .tool-error").count()).toBe(0);
    }
    expect(await axeViolations(page)).toEqual([]);
    await unload(page, "tea");
    await expect.poll(() => chips(page).count()).toBe(0);
    script.splice(0, script.length, BAKE);
    await send(page, "Now the cake.");
    await page.getByRole("button", { name: "Deny" }).click();
    await answered(page);
    await denied.first().getByRole("link", { name: "tea" }).click();
    await page.getByRole("heading", { level: 1, name: "tea" }).waitFor();
  });
});

test("an activation by a trigger says what matched, also after a reload", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await say(page, "We are brewing something.");
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await expectText(card(page, "skills.activate", "tea"), "The message matches the verb 'brew'.");
    await expectText(chips(page), "tea");
  }
});

describe("the page of a skill", () => {
  test.each(["light", "dark"] as const)("shows its rules, accessibly, in the %s theme", async (colorScheme) => {
    const page = await openPage(browser, chat.url, { colorScheme });
    await page.goto("/skills/tea");
    const rules = page.getByRole("region", { name: "Rules" });
    await expectText(
      rules,
      /Allowed tools\s+Read\s+Bash\(git:\*\)\s+Other calls are denied while the skill is active\./,
    );
    await expectText(rules, /Disallowed tools\s+WebFetch\s+These calls are denied/);
    await expectText(
      rules,
      /Trigger keywords\s+tea\s+A message that matches activates the skill\.\s+Trigger verbs\s+brew/,
    );
    await expectText(rules, /Toolsets\s+toolsets\/index:Kettle\s+Requires commands\s+node met/);
    await expectText(page.getByRole("region", { name: "About" }), /Version\s+1\.2\.0/);
    await expectText(page.getByRole("region", { name: "Metadata" }), /^Metadata\s+author\s+Ada$/);
    expect(await axeViolations(page)).toEqual([]);
  });

  test("has no rules if the skill has none", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills/plain");
    await page.getByRole("region", { name: "About" }).waitFor();
    expect(await page.getByRole("region", { name: /Rules|Metadata/ }).count()).toBe(0);
  });

  test("says why a skill is unavailable and how to meet the requirement, as the list does", async () => {
    const page = await openPage(browser, chat.url, PHONE);
    await page.goto("/skills");
    const row = page.getByRole("row").filter({ hasText: "Reads PDFs." });
    await expectText(row, new RegExp(`unavailable[^]*${COMMAND}`));
    await row.getByRole("link", { name: "pdf" }).click();
    const rules = page.getByRole("region", { name: "Rules" });
    await expectText(rules, new RegExp(`${COMMAND} not met[^]*${COMMAND}`));
    expect(await page.evaluate("document.querySelector('.page').scrollWidth")).toBeLessThanOrEqual(390);
  });
});
