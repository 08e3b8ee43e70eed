import { skillset } from "@skillset/unplugin";
import { openBrowser } from "../../browser/open-browser.ts";
import type { Places, ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";
import { PLUGIN, type Runtime, versionOf } from "./runtime.ts";

/** A page made by Vite, in Chromium. */
export const BROWSER: Runtime = {
  name: "browser (Vite, Chromium)",
  version: versionOf("vite"),
  isNode: false,
  run: async (places) => {
    const { build } = await import("vite");
    const outDir = inRuntimes(".out/vite");
    await build({
      configFile: false,
      root: inRuntimes("entries"),
      logLevel: "error",
      plugins: [skillset.vite(PLUGIN)],
      build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
    });
    return runInBrowser(new URL("/", places.mcp).href, places);
  },
};

interface PageWithProgram {
  runProgram?(places: Places): Promise<ProgramResult>;
}

/** Opens a page in Chromium and calls its function `runProgram`. */
export async function runInBrowser(url: string, places: Places): Promise<ProgramResult> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction(() => "runProgram" in globalThis);
    return await page.evaluate(
      (given) => (globalThis as unknown as Required<PageWithProgram>).runProgram(given),
      places,
    );
  } finally {
    await browser.close();
  }
}
