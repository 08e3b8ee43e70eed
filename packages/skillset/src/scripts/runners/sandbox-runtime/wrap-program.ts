// Runs in its own process, because the sandbox runtime has one configuration for each process, handles signals, and looks
// at the working directory. It reads one request, answers with one line, and ends with its input.
import { createInterface } from "node:readline";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";

const { SandboxManager } = (await import(process.argv[1] ?? "")) as typeof import("@anthropic-ai/sandbox-runtime");
// The range of the optional peer does not stop an installation, so an unsupported version is recognised here.
const missing = (["initialize", "wrapWithSandbox", "cleanupAfterCommand", "reset"] as const).find(
  (name) => typeof SandboxManager?.[name] !== "function",
);
const lines = createInterface({ input: process.stdin });

lines.once("line", async (line) => {
  const { command, config } = JSON.parse(line) as { command: string; config: SandboxRuntimeConfig };
  let answer: object;
  try {
    if (missing !== undefined)
      throw new Error(
        `The installed '@anthropic-ai/sandbox-runtime' has no '${missing}'. This version is not supported. ` +
          'Run "npm install @anthropic-ai/sandbox-runtime@0.0.83".',
      );
    // Only this starts a proxy. Without it, there is no way out at all.
    if (config.network.allowedDomains.length > 0) await SandboxManager.initialize(config);
    answer = {
      line: await SandboxManager.wrapWithSandbox(command, "/bin/sh", config, undefined, { commandId: "script" }),
    };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  console.log(JSON.stringify(answer));
});

lines.once("close", async () => {
  if (missing !== undefined) process.exit(0);
  SandboxManager.cleanupAfterCommand();
  await SandboxManager.reset();
  process.exit(0);
});
