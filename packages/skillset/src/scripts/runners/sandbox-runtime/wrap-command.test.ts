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

test.each([
  ["export const SandboxManager = {};", "initialize"],
  ["export const Sandbox = class {};", "initialize"],
  ["export const SandboxManager = { initialize() {}, wrapWithSandbox() {}, reset() {} };", "cleanupAfterCommand"],
])("another version of the sandbox runtime is refused, with the one to install: %s", async (module, missing) => {
  const folder = temporaryFolder();
  const wrapping = wrapCommand({
    runtime: { url: `data:text/javascript,${encodeURIComponent(module)}`, folder },
    node: process.execPath,
    command: "true",
    files: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
    allowedDomains: [],
    folder,
    path: process.env.PATH ?? "",
    signal: AbortSignal.timeout(20_000),
  });
  await expect(wrapping).rejects.toThrow(
    `The installed '@anthropic-ai/sandbox-runtime' has no '${missing}'. This version is not supported. Run "npm install @anthropic-ai/sandbox-runtime@`,
  );
});
