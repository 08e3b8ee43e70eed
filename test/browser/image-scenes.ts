import type { ScriptStep } from "@skillset/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { answered, card, composer, openTab, runOnce, send } from "./on-page.ts";
import { scrollTop } from "./seen.ts";

/** A state of the page that the docs show. */
export interface Scene {
  readonly name: string;
  /** Leads to the state from any other. */
  show(page: Page, chats: SceneChats): Promise<void>;
}

/** The paths of the chats in the images. */
export interface SceneChats {
  /** A question with a file, which a script of a skill answers. */
  readonly data: string;
  /** A question with two versions. */
  readonly versions: string;
}

const QUESTION = "Which region has missing values in this file?";

/** What the model does after the question about data. */
export const SCRIPT: readonly ScriptStep[] = [
  { call: "skills_activate", input: { name: "data-summary" } },
  {
    call: "skills_run_script",
    input: { name: "data-summary", script: "scripts/summarise.mjs", args: ["$OUTPUT_DIR/sales.csv"] },
  },
  {
    say: `**South** is the only region with a missing value: its amount for February is empty.

| column | type | missing | distinct |
| --- | --- | ---: | ---: |
| region | text | 0 | 3 |
| month | text | 0 | 2 |
| amount | number | **1** | 4 |

The file has 5 rows and no duplicates. To keep only complete rows:

\`\`\`ts
const complete = rows.filter(({ amount }) => amount !== "");
\`\`\``,
  },
];

const commit = (text: string): ScriptStep => ({ say: `Here is a message that says what changed and why:\n\n${text}` });

/** What the model does in the chat with two versions. */
export const VERSIONS: readonly ScriptStep[] = [
  { call: "skills_activate", input: { name: "commit-messages" } },
  commit("```text\nAdd a button that scans skills again\n```"),
  { call: "skills_activate", input: { name: "commit-messages" } },
  commit("```text\nRename the button to Rescan\n\nThe old label was read as a search.\n```"),
];

const SALES = ["region,month,amount", "north,January,1200", "south,January,950", "north,February,1340"].join("\n");
const FILES = [
  { name: "sales.csv", mimeType: "text/csv", buffer: Buffer.from(`${SALES}\nsouth,February,\neast,February,310\n`) },
  { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\n\nSouth has not reported yet.\n") },
];

/** Asks a question in a new chat. Its answer waits until somebody allows a script. */
export async function askAboutData(page: Page): Promise<string> {
  await page.goto("/");
  await attach(page, 1);
  await send(page, QUESTION);
  await runOnce(page).waitFor();
  return new URL(page.url()).pathname;
}

/** Edits the question of a chat, which then has two versions. */
export async function addVersion(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await answered(page);
  const question = page.locator(".message.user");
  await question.hover();
  await question.getByRole("button", { name: "Edit message" }).click();
  await page.getByRole("textbox", { name: "Edit message" }).fill("Commit message for renaming the button to Rescan");
  await page.keyboard.press("Enter");
  await page.getByText("2 / 2").waitFor();
  await answered(page);
}

export const NEW_CHAT: Scene = {
  name: "new-chat",
  async show(page) {
    await page.goto("/");
    await page.locator(".suggestions button").first().waitFor();
  },
};

export const CONSENT: Scene = {
  name: "script-consent",
  async show(page, { data }) {
    await page.goto(data);
    await runOnce(page).waitFor();
  },
};

export const SCENES: readonly Scene[] = [
  {
    name: "attachments",
    async show(page) {
      await page.goto("/");
      await attach(page, FILES.length);
      await composer(page).fill(QUESTION);
    },
  },
  {
    name: "autocomplete",
    async show(page) {
      await page.goto("/");
      for (const file of FILES) await page.getByRole("button", { name: `Remove ${file.name}` }).click();
      await composer(page).fill("/");
      await page.getByRole("listbox").waitFor();
    },
  },
  { name: "chat", show: (page, { data }) => openAnswer(page, data) },
  {
    name: "what-the-model-saw",
    async show(page, { data }) {
      await openAnswer(page, data);
      await page.getByRole("button", { name: "What the model saw", exact: true }).click();
      await page.locator(".seen-step").first().waitFor();
    },
  },
  {
    name: "script",
    async show(page, { data }) {
      await openAnswer(page, data);
      await scriptCard(page).getByRole("button", { expanded: false }).click();
    },
  },
  {
    name: "palette",
    async show(page, { data }) {
      await openAnswer(page, data);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Command palette" }).getByRole("option").first().waitFor();
    },
  },
  {
    name: "skills",
    async show(page) {
      await page.goto("/skills");
      await openTab(page, "Skills");
      await page.locator(".skill-table").waitFor();
    },
  },
  {
    name: "problems",
    async show(page) {
      await page.goto("/skills");
      await openTab(page, "Problems");
      await page.getByRole("region", { name: /^\d+ problems?$/ }).waitFor();
    },
  },
  {
    name: "skill",
    async show(page) {
      await page.goto("/skills/code-review?file=references/checklist.md");
      await page.locator(".file-view .markdown").waitFor();
    },
  },
  {
    name: "branches",
    async show(page, { versions }) {
      await page.goto(versions);
      await page.getByText("2 / 2").waitFor();
      await toTop(page);
    },
  },
  {
    name: "bin",
    async show(page) {
      await page.goto("/bin");
      await page.getByRole("list", { name: "Chats in the bin" }).waitFor();
    },
  },
  {
    name: "error",
    async show(page, { data }) {
      await openAnswer(page, data);
      await page.route("**/turn", (route) => route.abort(), { times: 1 });
      await composer(page).fill("And in which month?");
      // On touch screens, Enter starts a new line.
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("button", { name: "Try again" }).waitFor();
    },
  },
];

async function attach(page: Page, count: number): Promise<void> {
  await composer(page).waitFor();
  await page.locator("input[type=file]").setInputFiles(FILES.slice(0, count));
  await page
    .locator(".composer-files > li.done")
    .nth(count - 1)
    .waitFor();
}

const scriptCard = (page: Page) => card(page, "skills.runScript", "data-summary / scripts/summarise.mjs");

async function openAnswer(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await answered(page);
  // The colours of code are loaded after it.
  await expect.poll(() => page.evaluate("CSS.highlights.size")).toBeGreaterThan(0);
  await toTop(page);
}

/** Scrolls as a person does; otherwise the page follows the end of the answer. */
async function toTop(page: Page): Promise<void> {
  const conversation = page.locator(".conversation");
  await conversation.hover();
  await page.mouse.wheel(0, -10_000);
  await expect.poll(() => scrollTop(conversation)).toBe(0);
}
