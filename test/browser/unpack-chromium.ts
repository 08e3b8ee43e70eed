import chromium from "@sparticuz/chromium";

/** Unpacks the browser before any test file runs: two workers unpacking at once could start an incomplete one. */
export async function setup(): Promise<void> {
  if (process.env.CHROMIUM_PATH === undefined) await chromium.executablePath();
}
