// Measures the page of the chat in Chromium: `npx node bench/chat-page.ts [--app FOLDER] [--label TEXT] [--out FILE.md]`.
// The page must be built: `npm run build -w apps/chat`. `--app` measures the chat of another checkout.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { fillChat } from "../test/browser/fill-chat.ts";
import { type PacedModel, startPacedModel } from "../test/browser/paced-model.ts";
import { writeSkills } from "./mcp-skills.ts";
import { writeSection } from "./write-section.ts";

const { values } = parseArgs({
  options: {
    app: { type: "string", default: fileURLToPath(new URL("../apps/chat", import.meta.url)) },
    skills: { type: "string", default: "2000" },
    messages: { type: "string", default: "300" },
    out: { type: "string" },
  },
});
const [skillCount, messageCount] = [Number(values.skills), Number(values.messages)];
if (!(skillCount >= 1 && skillCount <= 10_000 && messageCount >= 2 && messageCount <= 1_000)) {
  console.error("usage: node bench/chat-page.ts [--app FOLDER] [--skills 2000] [--messages 300] [--out FILE.md]");
  process.exit(1);
}

const ANSWER = Array.from({ length: 40 }, (_, at) => section(at))
  .join("")
  .slice(0, 14_000);

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
const rows: string[] = [];
const model = await startPacedModel();
const browser = await playwright.launch({
  executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
  args: ["--no-sandbox"],
});
try {
  const skills = writeSkills(join(folder, "skills"), skillCount);
  const config = join(folder, "config.toml");
  writeFileSync(config, settings(skills, model.url));
  const server = spawn(process.execPath, [join(values.app, "server/main.ts")], {
    env: { PATH: process.env.PATH, HOME: folder, CONFIG: config, DATA_DIR: join(folder, "data"), PORT: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = (await firstLine(server)).trim().replace(/\/$/, "");
    await measureLoading(browser, url);
    await measureStreaming(browser, url, model);
    await measureSkills(browser, url);
    await measureChat(browser, url, model);
  } finally {
    server.kill();
    await once(server, "exit");
  }
} finally {
  await browser.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
report();

/** Headings, words, a list and code, as models write them. */
function section(at: number): string {
  const words = "Some more words with **bold**, `code` and [a link](https://example.com). ".repeat(3);
  return `## Section ${at}\n\n${words}\n\n- first\n- second\n- third\n\n\`\`\`ts\nconst value = ${at};\n\`\`\`\n\n`;
}

function settings(skills: string, modelUrl: string): string {
  return `[limits]\nanswers_per_minute = 1000000\nrequests_per_minute = 10000000
[app.skills]\nenabled = true\nmax_skills = ${skillCount}\ndirectories = [${JSON.stringify(skills)}]
[models]\ntitles = "words"\ndefault = "paced/m"\n[[models.openai_compatible]]\nname = "paced"\nbase_url = "${modelUrl}/v1"\nmodels = [{ id = "m" }]\n`;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("The server has no output.");
  const [line] = (await once(createInterface(stdout), "line")) as [string];
  return line;
}

/** The bytes over the wire until the page is idle, with headers. */
async function measureLoading(browser: Browser, url: string): Promise<void> {
  for (const [what, path, shown] of [
    ["first visit: a new chat", "/", ".suggestions button"],
    [`first visit: ${skillCount.toLocaleString("en")} skills`, "/skills", ".skill-table"],
  ] as const) {
    const page = await newPage(browser, url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    let bytes = 0;
    devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const scripts: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".js") && response.url().includes("/assets/")) scripts.push(1);
    });
    await page.goto(path);
    await page.locator(shown).first().waitFor();
    const [shownBytes, shownScripts] = [bytes, scripts.length];
    // What the page loads ahead follows half a second later.
    await page.waitForTimeout(3_000);
    addRow(what, [
      `${kilobytes(shownBytes)} in ${shownScripts} scripts until shown`,
      `${kilobytes(bytes)} in ${scripts.length} scripts in all`,
    ]);
    await page.context().close();
  }
}

/** How long the page is blocked while an answer of 14,000 characters arrives in about ten seconds. */
async function measureStreaming(browser: Browser, url: string, model: PacedModel): Promise<void> {
  const page = await newPage(browser, url);
  await page.goto("/");
  await page.getByLabel("Message", { exact: true }).fill("Write.");
  await page.keyboard.press("Enter");
  await model.write("Start.\n\n");
  await page.getByText("Start.").first().waitFor();
  await takeTasks(page);
  const step = 60;
  for (let at = 0; at < ANSWER.length; at += step) {
    await model.write(ANSWER.slice(at, at + step));
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await model.end();
  await page.getByRole("button", { name: "Send" }).waitFor({ timeout: 120_000 });
  addRow("an answer of 14,000 characters", describeTasks(await takeTasks(page)));
  await page.context().close();
}

async function measureSkills(browser: Browser, url: string): Promise<void> {
  const page = await newPage(browser, url);
  await page.goto("/skills");
  await page.locator(".skill-table tbody tr").first().waitFor();
  await page.waitForTimeout(1_000);
  const loading = await takeTasks(page);
  const name = `${skillCount.toLocaleString("en")} skills`;
  addRow(`${name}: opening`, [`${await elements(page)} elements`, ...describeTasks(loading)]);
  const field = page.getByLabel("Filter skills");
  for (const key of ["1", "9", "9", "9", "Backspace", "Backspace", "Backspace", "Backspace"]) {
    await field.press(key);
    await page.waitForTimeout(400);
  }
  addRow(`${name}: eight keys in the filter`, describeTasks(await takeTasks(page)));
  await page.context().close();
}

async function measureChat(browser: Browser, url: string, model: PacedModel): Promise<void> {
  const questions = Array.from({ length: messageCount / 2 }, (_, at) => `Question ${at}?`);
  const answering = (async () => {
    for (const _ of questions) {
      await model.write(ANSWER.slice(0, 1_200));
      await model.end();
    }
  })();
  const path = await fillChat(url, questions, "paced/m");
  await answering;
  const page = await newPage(browser, url);
  await page.goto(path);
  await page
    .locator(".message")
    .nth(messageCount - 1)
    .waitFor();
  await page.waitForTimeout(1_500);
  const name = `a chat of ${messageCount} messages`;
  addRow(`${name}: opening`, [`${await elements(page)} elements`, ...describeTasks(await takeTasks(page))]);
  await page.getByLabel("Message", { exact: true }).fill("One more.");
  await takeTasks(page);
  await page.keyboard.press("Enter");
  await model.write("Short.");
  await model.end();
  await page
    .locator(".message")
    .nth(messageCount + 1)
    .waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.waitForTimeout(500);
  addRow(`${name}: a short answer`, describeTasks(await takeTasks(page)));
  await page.context().close();
}

async function newPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(`{
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask", buffered: true });
  }`);
  return page;
}

/** The durations of the tasks over 50 ms since the last call. */
async function takeTasks(page: Page): Promise<readonly number[]> {
  return page.evaluate("window.tasks.splice(0)");
}

function describeTasks(tasks: readonly number[]): string[] {
  const sum = tasks.reduce((total, one) => total + one, 0);
  return [
    `${tasks.length} tasks over 50 ms`,
    `longest ${Math.max(0, ...tasks).toFixed(0)} ms`,
    `${sum.toFixed(0)} ms in all`,
  ];
}

async function elements(page: Page): Promise<string> {
  return ((await page.evaluate("document.querySelectorAll('*').length")) as number).toLocaleString("en");
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

function addRow(what: string, figures: readonly string[]): void {
  rows.push(`| ${what} | ${figures.join(", ")} |`);
  console.log(rows.at(-1));
}

function report(): void {
  const text = [
    `Node ${process.versions.node}, ${cpus().length} cores, shared by Chromium, the server and the model. Bytes are as sent, with headers and the API.`,
    "",
    "| what | figures |",
    "| --- | --- |",
    ...rows,
  ].join("\n");
  if (values.out !== undefined) writeSection(values.out, "chat-page", text);
}
