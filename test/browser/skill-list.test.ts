import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { expectText, openTab, say } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { isSeen, onElement } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

const LONG = `${"word ".repeat(100)}end`;
const METADATA = `metadata:\n  owner:\n    team: [a, b]\n  long: ${LONG}\n  html: "<img src=x onerror=alert(1)><b>bold</b>"\n`;

let browser: Browser;
let chat: StartedChat;

beforeAll(async () => {
  const skills = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`skill-${at}/SKILL.md`, skillMd(`skill-${at}`, "Does things. ".repeat(20))]),
  );
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      catalogTokens: 600,
      skills: { ...skills, "odd/SKILL.md": skillMd("odd", undefined, undefined, METADATA) },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
});

const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}\\b`) }) });

describe("the skills page", () => {
  test("warns of an incomplete catalog, with how much of it there is and the settings to change", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/skills");
    const notice = page.getByRole("region", { name: "Incomplete catalog" });
    await expectText(notice, /It adds \d+ tokens to every request \(limit: 600\)\./);
    expect(await isSeen(notice)).toBe(true);
    await expectText(notice, /max_catalog_tokens[\s\S]+catalog_pins/);
    const counts = await notice.locator(".levels dd").allInnerTexts();
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(21);
  });

  test("warns of a large catalog in a coloured box, with the settings to change", async () => {
    const many = Array.from({ length: 90 }, (_, at) => [
      `s-${at}/SKILL.md`,
      skillMd(`s-${at}`, "Does things. ".repeat(20)),
    ]);
    await using large = await startChat({ catalogTokens: 20_000, skills: Object.fromEntries(many) });
    const page = await openPage(browser, large.url);
    await page.goto("/skills");
    const notice = page.getByRole("region", { name: "Large catalog" });
    await expectText(notice, /It adds [\d,]+ tokens to every request \(limit: 20,000\)\.[\s\S]+max_catalog_tokens/);
    const style = await onElement<Record<string, string>>(
      notice,
      "const { display, paddingTop, backgroundColor } = getComputedStyle(element); return { display, paddingTop, backgroundColor }",
    );
    expect(style.display).toBe("flex");
    expect(Number.parseFloat(style.paddingTop ?? "")).toBeGreaterThan(8);
    expect(style.backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
  });

  test("updates the counts after a message, without loading the list again", async () => {
    const page = await openPage(browser, chat.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto("/skills");
    await expectText(row(page, "skill-7"), "never");
    asked.length = 0;
    const other = await openPage(browser, chat.url);
    await other.goto("/");
    await say(other, "/skill-7");
    await expectText(row(page, "skill-7"), /1 time\s+in 1 chat/);
    expect(asked).toContain("/api/skill-usage");
    expect(asked).not.toContain("/api/skills");
  });
});

test("the page of a skill shows its metadata as text: nested, long and with marks of HTML", async () => {
  const page = await openPage(browser, chat.url);
  await page.goto("/skills/odd");
  const metadata = page.getByRole("region", { name: "Metadata" });
  await expectText(metadata, '{"team":["a","b"]}');
  await expectText(metadata, "<img src=x onerror=alert(1)><b>bold</b>");
  expect(await metadata.locator("img, b").count()).toBe(0);
  expect(await metadata.innerText()).not.toContain("end");
  await metadata.locator("summary").click();
  await expectText(metadata, /word end/);
});

test("a chat that starts below a project lists the folders above it in their order", async () => {
  const project = temporaryFolder({
    ".git/HEAD": "",
    "app/web/.agents/skills/tea/SKILL.md": skillMd("tea", "Makes tea in the web folder."),
  });
  await using started = await startChat({ startFolder: `${project}/app/web` });
  const page = await openPage(browser, started.url);
  await page.goto("/skills");
  await expectText(row(page, "tea"), /Makes tea in the web folder\.[\s\S]+locked/);
  await openTab(page, "Folders");
  const places = page.getByRole("region", { name: "Folders" }).getByRole("listitem");
  await expectText(places.nth(0), /^1\s+…\/skills in the project, so its skills need trust$/);
  await expectText(places.nth(1), /^2\s+…\/skills \(2\) in the project, so its skills need trust · not found$/);
  // Those of the settings come last.
  await expectText(places.last(), /^\d+\s+\S+\/more-skills$/);
});
