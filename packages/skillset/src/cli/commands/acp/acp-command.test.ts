import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Io } from "../../terminal/io.ts";
import { checkAgent, toAgentCommand } from "./acp-command.ts";

/** A PATH with three programs. */
const PATH = mkdtempSync(join(tmpdir(), "skillset-test-"));
for (const name of ["claude-agent-acp", "my-agent", "opencode"]) writeFileSync(join(PATH, name), "", { mode: 0o755 });
afterAll(() => rmSync(PATH, { recursive: true }));

const io = { cwd: "/work", env: { PATH } } as unknown as Io;

test.each<[string[]]>([
  [["claude-agent-acp"]],
  [["/opt/bin/claude-agent-acp", "--x"]],
  [["npx", "-y", "@agentclientprotocol/claude-agent-acp@0.99.0"]],
  [["node", "/a/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"]],
])("%j starts with the variables that the agent needs", (words) => {
  const [command, ...args] = words;
  const env = { PATH, ENABLE_TOOL_SEARCH: "false" };
  expect(toAgentCommand(words, io)).toEqual({ command, args, cwd: "/work", env });
});

test("a variable of the user wins", () => {
  const given = { PATH, ENABLE_TOOL_SEARCH: "true" };
  expect(toAgentCommand(["claude-agent-acp"], { ...io, env: given }).env).toEqual(given);
});

test.each<[string[]]>([[["my-agent", "--acp"]], [["opencode", "acp"]], [["npx", "claude-agent-acp-fork"]]])(
  "%j starts as it is written",
  (words) => {
    const [command, ...args] = words;
    expect(toAgentCommand(words, io)).toEqual({ command, args, cwd: "/work", env: { PATH } });
  },
);

test("a known name gets the given environment, and none of its variables is taken for an option", () => {
  const env = { PATH, ADDED: "yes", model: "large" };
  expect(toAgentCommand(["opencode"], { ...io, env })).toMatchObject({ command: "opencode", cwd: "/work", env });
});

test("a known name that is not installed explains how to install it", () => {
  const empty = { ...io, env: { PATH: "/nowhere" } };
  expect(() => toAgentCommand(["opencode"], empty)).toThrow("Install it with: npm install --global opencode-ai");
});

test.each([
  ["a known name", "opencode", ["opencode", "acp"]],
  ["a command line", "my-agent --acp 'two words'", ["my-agent", "--acp", "two words"]],
])("without words, SKILLSET_AGENT is the agent: %s", (_what, given, [command, ...args]) => {
  const env = { PATH, SKILLSET_AGENT: given };
  expect(() => checkAgent([], env)).not.toThrow();
  expect(toAgentCommand([], { ...io, env })).toMatchObject({ command, args, cwd: "/work" });
});

test("words win over SKILLSET_AGENT, and no agent inherits the variable", () => {
  const env = { PATH, SKILLSET_AGENT: "my-agent" };
  for (const words of [["opencode"], ["my-agent", "--acp"], []])
    expect(toAgentCommand(words, { ...io, env }).env).not.toHaveProperty("SKILLSET_AGENT");
  expect(toAgentCommand(["opencode"], { ...io, env }).command).toBe("opencode");
});

test.each([{}, { SKILLSET_AGENT: " " }])("without words, and with the environment %j, there is no agent", (env) => {
  expect(() => checkAgent([], env)).toThrow(/needs an agent: a name \(claude, .*Without both, set SKILLSET_AGENT\.$/);
});

test.each([
  ["clade", "'clade' is neither a known agent nor a program on the PATH. Use one of claude, codex, "],
  ["cursor", "'cursor' has no known program that speaks ACP. Use one of claude, codex, "],
])("the error for the single word %s lists the known agents", (word, message) => {
  expect(() => toAgentCommand([word], io)).toThrow(message);
  expect(() => toAgentCommand([word], io)).toThrow(expect.objectContaining({ code: "agent-not-found" }));
});
