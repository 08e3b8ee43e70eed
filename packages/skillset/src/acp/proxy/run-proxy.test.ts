import { expect, test } from "vitest";
import { runProxy } from "./run-proxy.ts";

test("an error of the editor's output ends the proxy as a closed one does", async () => {
  const running = runProxy({
    command: () => ({ command: process.execPath, args: ["-e", "process.stdin.resume()"] }),
    // biome-ignore lint/correctness/useYield: the first read fails.
    input: (async function* (): AsyncGenerator<string> {
      throw new Error("EIO");
    })(),
    write: async () => {},
    signal: new AbortController().signal,
    load: () => Promise.reject(new Error("not used")),
    allowScripts: [],
    report: () => {},
  });
  await expect(running).resolves.toBeUndefined();
});
