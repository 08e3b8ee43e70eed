import type { Browser, Page } from "playwright-core";
import { startScriptedModel } from "skillset/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { composer, openCards, options, say, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";
import { XSS_PAYLOADS } from "./xss-payloads.ts";

const ALL = XSS_PAYLOADS.join("\n\n");
let browser: Browser;
let chat: StartedChat;
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
  model = await startScriptedModel([
    { call: "skills_activate", input: { name: "skill-0" }, say: ALL },
    { call: "skills_read_resource", input: { name: "skill-0", path: "payload.md" } },
    { call: "skills_read_resource", input: { name: "skill-0", path: XSS_PAYLOADS[4] ?? "" } },
    { say: ALL },
  ]);
  const skills: Record<string, string> = {};
  for (const [index, payload] of XSS_PAYLOADS.entries()) {
    const body = `# ${payload}\n\n${payload}\n\n- ${payload}\n\n\`\`\`${payload}\n${payload}\n\`\`\`\n\n${ALL}\n`;
    skills[`skill-${index}/SKILL.md`] = skillMd(`skill-${index}`, `${payload} Use when asked.`, body);
    skills[`skill-${index}/payload.md`] = payload;
    // As a name, it makes the skill invalid, and is shown all the same.
    skills[`${payload.replaceAll("/", "").slice(0, 60)}/SKILL.md`] = skillMd(payload, payload, payload);
  }
  skills[`skill-0/${XSS_PAYLOADS[4]}`] = ALL;
  [browser, chat] = await Promise.all([openBrowser(), startChat({ skills, modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** A page without the server's policy, so that the page alone must hold, with a trap for whatever runs or leaves. */
async function openTrapped(): Promise<Page & { faults(): Promise<unknown> }> {
  const page = await openPage(browser, chat.url, { bypassCSP: true });
  const outside: string[] = [];
  await page.context().route(
    (url) => url.origin !== chat.url,
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  page.on("dialog", (dialog) => void dialog.dismiss());
  await page.addInitScript("window.fired = 0; window.fire = () => { window.fired += 1; };");
  const faults = async () => ({ outside, ...((await page.evaluate(INSPECT)) as object) });
  return Object.assign(page, { faults });
}

const INSPECT = `({
  fired: window.fired,
  elements: [...document.querySelectorAll("#root :is(script, iframe, object, embed, style, link, base, meta, video, math, body)")].map((e) => e.outerHTML),
  images: [...document.querySelectorAll("#root img")].map((e) => e.src),
  handlers: [...document.querySelectorAll("#root *")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on")),
  links: [...document.querySelectorAll("#root a")].map((e) => e.protocol).filter((p) => !["http:", "https:", "mailto:"].includes(p)),
})`;

const NOTHING = { fired: 0, outside: [], elements: [], images: [], handlers: [], links: [] };

describe("nothing that others wrote runs", () => {
  test(`on the page of skills, with ${XSS_PAYLOADS.length} of them as names and descriptions`, async () => {
    const page = await openTrapped();
    await page.goto("/skills");
    await page.locator(".skill-table tbody tr").nth(XSS_PAYLOADS.length).waitFor();
    await signIn(page);
    await page.getByRole("switch").first().waitFor();
    expect(await page.faults()).toEqual(NOTHING);
  });

  test("on the pages of single skills, with their files open", async () => {
    const page = await openTrapped();
    for (const index of [0, 4, 7, 18, 19, 24]) {
      await page.goto(`/skills/skill-${index}`);
      await page.locator(".instructions .markdown").waitFor();
      await page.getByRole("button", { name: /payload\.md/ }).click();
      await page.locator("dialog pre").waitFor();
      expect(await page.faults()).toEqual(NOTHING);
    }
  });

  test("in the autocomplete and in suggestions", async () => {
    const page = await openTrapped();
    await page.goto("/");
    await page.locator(".suggestions button").first().waitFor();
    await composer(page).press("/");
    await options(page)
      .nth(XSS_PAYLOADS.length - 1)
      .waitFor();
    expect(await page.faults()).toEqual(NOTHING);
  });

  test("in messages, answers, cards and titles", async () => {
    const page = await openTrapped();
    await page.goto("/");
    await say(page, ALL);
    await openCards(page);
    expect(await page.locator(".tool-card").count()).toBe(3);
    expect(await page.faults()).toEqual(NOTHING);
    for (const link of await page.locator(".markdown a").all()) await link.hover({ force: true });
    const id = new URL(page.url()).pathname.split("/").at(-1);
    for (const title of XSS_PAYLOADS) {
      await page.request.patch(`/api/chats/${id}`, { data: { title } });
      await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe(title.replaceAll(/\s+/g, " "));
    }
    expect(await page.faults()).toEqual(NOTHING);
  });
});

test("the server's policy allows scripts and styles from itself only, and the page needs no more", async () => {
  const page = await openPage(browser, chat.url);
  const response = await page.goto("/");
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toContain("unsafe");
  await page.locator(".suggestions button").first().waitFor();
});
