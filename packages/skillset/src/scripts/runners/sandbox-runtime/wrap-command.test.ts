import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { wrapCommand } from "./wrap-command.ts";

test("a sandbox runtime that does not answer ends with the signal", async () => {
  const folder = temporaryFolder();
  const url = "data:text/javascript,await new Promise((resolve) => setTimeout(resolve, 60_000))";
  const signal = AbortSignal.timeout(200);
  const wrapping = wrapCommand({
    runtime: { url, folder },
    node: process.execPath,
    command: "true",
    files: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
    allowedDomains: [],
    folder,
    path: process.env.PATH ?? "",
    signal,
  });
  await expect(wrapping).rejects.toMatchObject({ name: "TimeoutError" });
});
