import { describe, expect, test, vi } from "vitest";
import type { Io } from "./io.ts";
import { withProgress } from "./progress.ts";

/** The terminal output of a scan that takes `milliseconds` and reports its progress at the end. */
async function scan(milliseconds: number, isTTY: boolean): Promise<string> {
  vi.useFakeTimers({ toFake: ["performance"] });
  let shown = "";
  const stderr = { isTTY, write: (chunk: Uint8Array | string) => (shown += chunk) };
  await withProgress({ stderr } as unknown as Io, async (onProgress) => {
    vi.advanceTimersByTime(milliseconds);
    onProgress(4_200);
    onProgress(4_201);
  });
  vi.useRealTimers();
  return shown;
}

describe("the progress line", () => {
  test("appears after a second, and is erased", async () => {
    expect(await scan(1_100, true)).toBe("\r\u001b[KScanning… 4,200 skills\r\u001b[K");
  });

  test("does not appear for a fast scan, or without a terminal", async () => {
    expect(await scan(900, true)).toBe("");
    expect(await scan(1_100, false)).toBe("");
  });
});
