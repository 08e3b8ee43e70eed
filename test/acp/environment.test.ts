import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { type ConnectAgentOptions, connectAgent } from "../../packages/skillset/src/acp/index.ts";
import { startScriptedAgent } from "../../packages/skillset/src/testing/agent/scripted-agent.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("./agent-program.ts", import.meta.url));

afterEach(() => void vi.unstubAllEnvs());

/** A PATH on which the programs of known agents are agents that answer with their environment. */
function pathWithAgents(): string {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' environment\n`;
  const folder = temporaryFolder({ "claude-agent-acp": script, "codex-acp": script });
  for (const name of ["claude-agent-acp", "codex-acp"]) chmodSync(join(folder, name), 0o755);
  return `${folder}${delimiter}${process.env.PATH}`;
}

async function environmentOf(
  target: Parameters<typeof connectAgent>[0],
  options: ConnectAgentOptions = {},
): Promise<Record<string, string>> {
  await using agent = await connectAgent(target, options);
  return JSON.parse(await agent.think().text("Hi.").run());
}

test("claude starts without its tool search, and any other agent with an unchanged environment", async () => {
  vi.stubEnv("ENABLE_TOOL_SEARCH", undefined);
  vi.stubEnv("PATH", pathWithAgents());
  expect(await environmentOf("claude")).toMatchObject({ ENABLE_TOOL_SEARCH: "false" });
  expect(await environmentOf("codex")).not.toHaveProperty("ENABLE_TOOL_SEARCH");
});

test("this program's environment and 'env' override an agent's default variables", async () => {
  vi.stubEnv("PATH", pathWithAgents());
  vi.stubEnv("ENABLE_TOOL_SEARCH", "auto");
  expect(await environmentOf("claude")).toMatchObject({ ENABLE_TOOL_SEARCH: "auto" });
  const env = { ENABLE_TOOL_SEARCH: "true", ADDED: "yes" };
  expect(await environmentOf("claude", { env })).toMatchObject(env);
});

test("'env' adds to the environment of a command, and undefined removes a variable", async () => {
  vi.stubEnv("KEPT", "kept");
  vi.stubEnv("REMOVED", "removed");
  const command = { command: process.execPath, args: [PROGRAM, "environment"] };
  const seen = await environmentOf(command, { env: { ADDED: "yes", REMOVED: undefined } });
  expect(seen).toMatchObject({ KEPT: "kept", ADDED: "yes" });
  expect(seen).not.toHaveProperty("REMOVED");
  const whole = await environmentOf({ ...command, env: { PATH: process.env.PATH } }, { env: { ADDED: "yes" } });
  expect(whole).toMatchObject({ ADDED: "yes" });
  expect(whole).not.toHaveProperty("KEPT");
});

test("a known agent is looked up on the given PATH", async () => {
  expect(await environmentOf("claude", { env: { PATH: pathWithAgents() } })).toHaveProperty("PATH");
  await expect(connectAgent("claude", { env: { PATH: "/nowhere" } })).rejects.toMatchObject({
    code: "agent-not-found",
  });
});

test("'env' is rejected for an agent that is already running", async () => {
  await using scripted = await startScriptedAgent([]);
  await expect(connectAgent(scripted.app, { env: { ADDED: "yes" } })).rejects.toMatchObject({ code: "option-invalid" });
});
