import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";
import { onTestFinished } from "vitest";

/** A real Chromium: the one from npm, or the one that CHROMIUM_PATH names. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    // Its own list of arguments switches off the same-origin policy, which these tests are about.
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
}

/** A page of its own for one test, which fails when the page logs an error. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`${error.message}\n${error.stack}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`The page had faults:\n${faults.join("\n")}`);
  });
  return page;
}
