import chromium from "@sparticuz/chromium";

/** Unpacks the browser once, before any file runs: two workers that did it at once would start half of one. */
export async function setup(): Promise<void> {
  if (process.env.CHROMIUM_PATH === undefined) await chromium.executablePath();
}
