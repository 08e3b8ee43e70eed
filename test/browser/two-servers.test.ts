import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createDatabase } from "../../apps/chat/server/testing/postgres-server.ts";
import { skillMd } from "../temporary-folder.ts";
import { answered, card, composer, expectText, say, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let model: ScriptedModel;
let servers: readonly StartedChat[] = [];
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script, { isSide: () => false });
  const databaseUrl = await createDatabase(inject("postgres") as string);
  const skills = { "notes/SKILL.md": skillMd("notes", "Takes notes.", "Be brief.") };
  const start = () => startChat({ modelUrl: model.url, databaseUrl, skills });
  [browser, ...servers] = await Promise.all([openBrowser(), start(), start()]);
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server[Symbol.asyncDispose]();
  await model?.close();
});

/** A chat, open in two browsers on two servers. */
async function openTwice(steps: readonly ScriptStep[]): Promise<readonly [Page, Page]> {
  script.splice(0, script.length, ...steps);
  const [one, other] = servers as [StartedChat, StartedChat];
  const [here, there] = [await openPage(browser, one.url), await openPage(browser, other.url)];
  await here.goto("/");
  await say(here, "Good morning");
  await there.goto(new URL(new URL(here.url()).pathname, other.url).href);
  await expectText(there.locator(".message.assistant"), "Good morning to you.");
  return [here, there];
}

const HELLO: ScriptStep = { say: "Good morning to you." };

test("a chat that is open on two servers stays in sync: messages, answers, the title and its deletion", async () => {
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
  const late: ScriptStep = async () => {
    await goOn;
    return { say: "Worth the wait." };
  };
  const [here, there] = await openTwice([HELLO, late]);
  await composer(here).fill("Take your time.");
  await here.keyboard.press("Enter");
  await expectText(there.locator(".message.user").last(), "Take your time.");
  await there.getByText("Waiting for the answer…").waitFor();
  letGo();
  await expectText(there.locator(".message.assistant").last(), "Worth the wait.");
  await answered(here);
  const texts = (page: Page) => page.locator(".message").allInnerTexts();
  await expect.poll(async () => (await texts(there)).join() === (await texts(here)).join()).toBe(true);

  const list = here.getByRole("navigation", { name: "Chats" });
  await list.getByRole("button").first().click();
  await here.getByRole("menuitem", { name: "Rename" }).click();
  await here.getByLabel("New title").fill("Mornings");
  await here.keyboard.press("Enter");
  await expectText(there.getByRole("heading", { level: 1 }), "Mornings");
  await there.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: "Mornings" }).waitFor();

  await list.getByRole("button", { name: "Actions for Mornings" }).click();
  await here.getByRole("menuitem", { name: "Delete" }).click();
  await expectText(there.locator(".conversation").getByRole("alert"), "This chat is in the bin.");
  await here.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => there.locator(".conversation").getByRole("alert").count()).toBe(0);
  await there.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: "Mornings" }).waitFor();
});

test("an answer on one server is live in a page of the other", async () => {
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
  const slow: ScriptStep = async () => {
    await goOn;
    return { say: "And the rest." };
  };
  const reading = { say: "Let me look first.", call: "skills_activate", input: { name: "notes" } };
  const [here, there] = await openTwice([HELLO, reading, slow]);
  await send(here, "Take a look.");
  await expectText(there.locator(".message.assistant").last(), "Let me look first.");
  await there.reload();
  await expectText(there.locator(".message.assistant").last(), "Let me look first.");
  await expectText(card(there, "skills.activate", "notes"), "Used notes");
  letGo();
  await expectText(there.locator(".message.assistant").last(), /Let me look first\.[\s\S]+And the rest\./);
  await answered(here);
  await answered(there);
});

test("S17: an answer whose server was killed is marked as cut off on the other, and can be regenerated there", async () => {
  const { promise: asked, resolve: notice } = Promise.withResolvers<void>();
  const hang: ScriptStep = () => {
    notice();
    return { hang: true };
  };
  const [here, there] = await openTwice([HELLO, hang, { say: "From the other server." }]);
  await composer(here).fill("Are you there?");
  await here.keyboard.press("Enter");
  await there.getByText("Waiting for the answer…").waitFor();
  // Pages show a new answer before the model is asked. A server that is killed too early leaves its step to the other.
  await asked;
  await servers[0]?.kill();
  onTestFinished(() => servers[0]?.restart());
  await there.getByText("The server stopped before this answer was complete.").waitFor({ timeout: 40_000 });
  await there.getByRole("button", { name: "Regenerate" }).last().click();
  await expectText(there.locator(".message.assistant").last(), "From the other server.");
});
