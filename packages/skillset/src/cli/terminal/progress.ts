import type { Io } from "./io.ts";
import { grouped } from "./printable.ts";

/** Runs a scan and, once it has taken a second on a terminal, says how far it is; the line is erased afterwards. */
export async function withProgress<Result>(
  { stderr }: Io,
  scan: (onProgress: (found: number) => void) => Promise<Result>,
): Promise<Result> {
  if (stderr.isTTY !== true) return scan(() => {});
  let next = performance.now() + PATIENCE;
  let isShown = false;
  try {
    return await scan((found) => {
      const now = performance.now();
      if (now < next) return;
      next = now + INTERVAL;
      isShown = true;
      stderr.write(`${ERASE_LINE}Scanning… ${grouped(found)} skills`, ignore);
    });
  } finally {
    if (isShown) stderr.write(ERASE_LINE, ignore);
  }
}

const PATIENCE = 1_000;
const INTERVAL = 100;
const ERASE_LINE = "\r\u001b[K";

/** A progress line that cannot be shown is no reason to stop. */
function ignore(): void {}
