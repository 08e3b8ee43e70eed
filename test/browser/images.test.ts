import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { skillMd, writeFiles } from "../temporary-folder.ts";
import { fillChat } from "./fill-chat.ts";
import {
  addVersion,
  askAboutData,
  CONSENT,
  NEW_CHAT,
  SCENES,
  SCRIPT,
  type Scene,
  type SceneChats,
  VERSIONS,
} from "./image-scenes.ts";
import { answered, chooseModel, runOnce } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { PROJECT, startChat } from "./start-chat.ts";

/** Images are saved only on request, because machines render them differently. */
const isUpdate = process.env.UPDATE_IMAGES === "1";
const temporary = mkdtempSync(join(tmpdir(), "images-"));
const FOLDER = isUpdate ? join(PROJECT, "docs/images") : temporary;
afterAll(() => rmSync(temporary, { recursive: true }));

const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["1440-light", { ...WIDE, colorScheme: "light" }],
  ["390-dark", { ...PHONE, colorScheme: "dark" }],
  ["1440-dark", { ...WIDE, colorScheme: "dark" }],
  ["390-light", { ...PHONE, colorScheme: "light" }],
];

/** The bundled skills and some with problems, below the settings, so that pages name them without local paths. */
function writeSettings(modelUrl: string): string {
  cpSync(join(PROJECT, "packages/skillset/skills"), join(temporary, "skills"), { recursive: true });
  writeFiles(join(temporary, "team-skills"), {
    "invoices/SKILL.md": "---\nname: invoices\ndescription: Use this: it has a colon\n---\nBody\n",
    "meeting-notes/SKILL.md": "---\nname: meeting-notes\n---\nHas no description.\n",
    "translate/SKILL.md": skillMd("translate", "Translates texts.", "Keep names.\n", "colour: green\n"),
  });
  const file = join(temporary, "config.toml");
  const model = '{ id = "example", label = "Example model", price = { input = 3, output = 15 } }';
  const lines = ["[models]", 'titles = "words"', 'default = "offline"'];
  lines.push("[[models.openai_compatible]]", 'name = "scripted"', `base_url = "${modelUrl}/v1"`, `models = [${model}]`);
  lines.push("[app.skills]", "enabled = true", 'directories = ["./skills", "./team-skills"]', 'scripts = "auto"');
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

test("the screenshots in the docs can be taken from the current page", { timeout: 600_000 }, async () => {
  const model = await startQueuedModel([...VERSIONS, ...SCRIPT], { isSide: () => false });
  // Not signed in as admin, so that screenshots show no local paths.
  await using chat = await startChat({ configFile: writeSettings(model.url), startFolder: temporary });
  await using browser = await openBrowser();
  const pages: { readonly page: Page; readonly look: string }[] = [];
  for (const [look, options] of isUpdate ? LOOKS : LOOKS.slice(0, 2)) {
    pages.push({ page: await openPage(browser, chat.url, options), look });
  }
  const take = async (scene: Scene, chats: SceneChats) => {
    for (const { page, look } of pages) {
      await scene.show(page, chats);
      await page.mouse.move(640, 4);
      await page.evaluate("document.fonts.ready.then(() => undefined)");
      await page.locator(".toast").waitFor({ state: "detached" });
      const image = await page.screenshot({ path: join(FOLDER, `${scene.name}-${look}.png`) });
      expect(image.length).toBeGreaterThan(0);
    }
  };

  await take(NEW_CHAT, { data: "", versions: "" });
  for (const { page } of pages) await chooseModel(page, "Example model");
  for (const question of ["Write release notes for version 0.4", "/debugging The import job fails on Mondays"]) {
    const path = await fillChat(chat.url, [question], "offline");
    const headers = { "content-type": "application/json" };
    const address = `${chat.url}/api${path.replace("/chat", "/chats")}`;
    expect((await fetch(address, { method: "DELETE", headers, body: "{}" })).ok).toBe(true);
  }
  await fillChat(chat.url, ["/code-review Is this safe to merge?"], "offline");
  await fillChat(chat.url, ["/skill-authoring Write a skill for invoices"], "offline");
  const versions = await fillChat(chat.url, ["Commit message for a new button"], "scripted/example");
  const { page } = pages[0] as (typeof pages)[number];
  await addVersion(page, versions);
  const chats = { versions, data: await askAboutData(page) };
  await take(CONSENT, chats);
  await page.goto(chats.data);
  await runOnce(page).click();
  await answered(page);
  for (const scene of SCENES) await take(scene, chats);
  await model.close();
});
