import type { Io } from "./io.ts";
import { grouped } from "./printable.ts";

/** Runs a scan. On a terminal, shows its progress after one second, and erases the line at the end. */
export async function withProgress<Result>(
  { stderr }: Io,
  scan: (onProgress: (found: number) => void) => Promise<Result>,
  doing = "Scanning",
): Promise<Result> {
  if (stderr.isTTY !== true) return scan(() => {});
  let next = performance.now() + DELAY;
  let isShown = false;
  try {
    return await scan((found) => {
      const now = performance.now();
      if (now < next) return;
      next = now + INTERVAL;
      isShown = true;
      stderr.write(`${ERASE_LINE}${doing}… ${grouped(found)} skills`, ignore);
    });
  } finally {
    if (isShown) stderr.write(ERASE_LINE, ignore);
  }
}

const DELAY = 1_000;
const INTERVAL = 100;
const ERASE_LINE = "\r\u001b[K";

/** A scan continues even if its progress cannot be shown. */
function ignore(): void {}
