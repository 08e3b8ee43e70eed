import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";
import { onTestFinished } from "vitest";

/** A real Chromium: from npm, or from CHROMIUM_PATH. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    // Its default arguments disable the same-origin policy, which these tests check.
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
}

/** Opens a separate page for one test, which fails if the page logs an error. */
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
    // A handler may still hold a request.
    if (!page.isClosed()) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.unrouteAll({ behavior: "ignoreErrors" });
    }
    await context.close();
    if (faults.length > 0) throw new Error(`The page logged errors:\n${faults.join("\n")}`);
  });
  return page;
}
