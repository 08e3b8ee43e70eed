import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import type { Io } from "../../terminal/io.ts";
import { type AgentWords, toAgentCommand } from "./acp-command.ts";

const io = { cwd: "/work", env: { PATH: "/bin" } } as unknown as Io;

test.each<[AgentWords]>([
  [["claude-agent-acp"]],
  [["/opt/bin/claude-agent-acp", "--x"]],
  [["npx", "-y", "@agentclientprotocol/claude-agent-acp@0.99.0"]],
  [["node", "/a/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"]],
])("%j starts with the variables that the agent needs", (words) => {
  const [command, ...args] = words;
  const env = { PATH: "/bin", ENABLE_TOOL_SEARCH: "false" };
  expect(toAgentCommand(words, io)).toEqual({ command, args, cwd: "/work", env });
});

test("a variable of the user wins", () => {
  const { env } = toAgentCommand(["claude-agent-acp"], { ...io, env: { ENABLE_TOOL_SEARCH: "true" } });
  expect(env).toEqual({ ENABLE_TOOL_SEARCH: "true" });
});

test.each<[AgentWords]>([[["my-agent", "--acp"]], [["opencode", "acp"]], [["npx", "claude-agent-acp-fork"]]])(
  "%j starts as it is written",
  (words) => {
    const [command, ...args] = words;
    expect(toAgentCommand(words, io)).toEqual({ command, args, cwd: "/work", env: { PATH: "/bin" } });
  },
);

test("a known name gets the given environment, and none of its variables is taken for an option", () => {
  const folder = temporaryFolder({ opencode: "" });
  chmodSync(join(folder, "opencode"), 0o755);
  const env = { PATH: folder, ADDED: "yes", model: "large" };
  expect(toAgentCommand(["opencode"], { ...io, env })).toMatchObject({ command: "opencode", cwd: "/work", env });
});

test("a known name that is not installed explains how to install it", () => {
  const empty = { ...io, env: { PATH: "/nowhere" } };
  expect(() => toAgentCommand(["opencode"], empty)).toThrow("Install it with: npm install --global opencode-ai");
});
