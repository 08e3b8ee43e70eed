import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type ConnectAgentOptions, connectAgent, evaluatePrompt } from "../../packages/skillset/src/acp/index.ts";
import { agentsWith } from "../../packages/skillset/src/agents/find-agent.ts";
import { MarkdownSection, Prompt, PromptTemplate } from "../../packages/skillset/src/prompt/index.ts";
import { startScriptedAgent } from "../../packages/testing/src/agent/scripted-agent.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("./agent-program.ts", import.meta.url));

afterEach(() => void vi.unstubAllEnvs());

/** A PATH on which the programs of known agents are agents that answer with their environment. */
function pathWithAgents(): string {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' environment\n`;
  const programs = agentsWith("acp").map(({ acp }) => acp.command);
  const folder = temporaryFolder(Object.fromEntries(programs.map((name) => [name, script])));
  for (const name of programs) chmodSync(join(folder, name), 0o755);
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

test("an agent gets SKILLSET_AGENT only from 'env'", async () => {
  const command = { command: process.execPath, args: [PROGRAM, "environment"] };
  vi.stubEnv("SKILLSET_AGENT", `${process.execPath} ${PROGRAM} environment`);
  for (const inheritEnv of [true, ["SKILLSET_*", "PATH"]])
    expect(await environmentOf(command, { inheritEnv })).not.toHaveProperty("SKILLSET_AGENT");
  const env = { SKILLSET_AGENT: "codex" };
  expect(await environmentOf(command, { env })).toMatchObject(env);
});

test.each([
  ["claude", "ANTHROPIC_API_KEY"],
  ["codex", "OPENAI_API_KEY"],
  ["gemini", "GEMINI_API_KEY"],
  ["opencode", "ANTHROPIC_API_KEY"],
  ["pi", "ANTHROPIC_API_KEY"],
] as const)("in a temporary home, %s gets %s, and no other key", async (agent, key) => {
  vi.stubEnv("PATH", pathWithAgents());
  for (const name of [key, "AWS_SECRET_ACCESS_KEY", "SKILLSET_AGENT"]) vi.stubEnv(name, `the ${name}`);
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Which variables do you have?" });
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "env", sections: [task] }));
  const { text } = await evaluatePrompt({ agent, prompt });
  expect(JSON.parse(text)).toMatchObject({ [key]: `the ${key}` });
  expect(text).not.toMatch(/the (?:AWS_SECRET_ACCESS_KEY|SKILLSET_AGENT)/);
});

test("every agent with a home and a program has a row above", () => {
  const names = agentsWith("home").flatMap(({ name, acp }) => (acp === undefined ? [] : [name]));
  expect(names).toEqual(["claude", "codex", "gemini", "opencode", "pi"]);
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

describe("'inheritEnv'", () => {
  const command = { command: process.execPath, args: [PROGRAM, "environment"] };

  test("passes only the variables that it names, by name or glob, and 'env' adds to them", async () => {
    for (const name of ["KEPT", "TEST_ONE", "TEST_TWO", "SECRET_TOKEN"]) vi.stubEnv(name, "x");
    const seen = await environmentOf(command, { inheritEnv: ["KEPT", "TEST_*"], env: { ADDED: "yes" } });
    expect(ownOf(seen)).toEqual({ KEPT: "x", TEST_ONE: "x", TEST_TWO: "x", ADDED: "yes" });
  });

  test("false passes nothing, and true everything", async () => {
    vi.stubEnv("KEPT", "x");
    expect(ownOf(await environmentOf(command, { inheritEnv: false }))).toEqual({});
    expect(await environmentOf(command, { inheritEnv: true })).toMatchObject({ KEPT: "x" });
  });

  test("leaves an agent's default variables, and a known agent needs the PATH", async () => {
    vi.stubEnv("PATH", pathWithAgents());
    vi.stubEnv("SECRET_TOKEN", "x");
    vi.stubEnv("ENABLE_TOOL_SEARCH", "true");
    const seen = await environmentOf("claude", { inheritEnv: ["PATH"] });
    expect(seen).toMatchObject({ ENABLE_TOOL_SEARCH: "false" });
    expect(seen).not.toHaveProperty("SECRET_TOKEN");
    await expect(connectAgent("claude", { inheritEnv: ["HOME"] })).rejects.toThrow("'inheritEnv' leaves out 'PATH'.");
  });

  test("is rejected for an agent that already runs, for a command with its own environment, and with an empty name", async () => {
    await using scripted = await startScriptedAgent([]);
    const invalid = { code: "option-invalid" };
    await expect(connectAgent(scripted.app, { inheritEnv: [] })).rejects.toMatchObject(invalid);
    await expect(connectAgent({ ...command, env: {} }, { inheritEnv: [] })).rejects.toMatchObject(invalid);
    await expect(connectAgent(command, { inheritEnv: [""] })).rejects.toMatchObject(invalid);
  });
});

/** Without what the system adds to every process. */
function ownOf(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:__|PWD$|SHLVL$|_$)/.test(name)));
}

test("a model is passed to an agent that takes it only at its start", async () => {
  const shown = `#!/bin/sh\necho "$@" >&2\nexit 3\n`;
  const folder = temporaryFolder({ auggie: shown });
  chmodSync(join(folder, "auggie"), 0o755);
  const path = `${folder}${delimiter}${process.env.PATH}`;
  await expect(connectAgent("auggie", { model: "large", env: { PATH: path } })).rejects.toThrow(/--acp --model large$/);
  await expect(connectAgent("auggie", { env: { PATH: path } })).rejects.toThrow(/--acp$/);
});

describe("SKILLSET_AGENT", () => {
  test("is used without a target, and replaces a name", async () => {
    vi.stubEnv("PATH", pathWithAgents());
    vi.stubEnv("ENABLE_TOOL_SEARCH", undefined);
    vi.stubEnv("SKILLSET_AGENT", "claude");
    for (const target of [undefined, "codex"] as const)
      expect(await environmentOf(target)).toMatchObject({ ENABLE_TOOL_SEARCH: "false" });
  });

  test("can be a command line, whose environment 'env' changes", async () => {
    vi.stubEnv("SKILLSET_AGENT", `'${process.execPath}' '${PROGRAM}' environment`);
    expect(await environmentOf("claude", { env: { ADDED: "yes" } })).toMatchObject({ ADDED: "yes" });
    vi.stubEnv("PATH", pathWithAgents());
    vi.stubEnv("SKILLSET_AGENT", "codex-acp");
    expect(await environmentOf(undefined)).toHaveProperty("PATH");
  });

  test("does not replace a command or an agent in this process", async () => {
    vi.stubEnv("SKILLSET_AGENT", "no-such-agent --acp");
    expect(await environmentOf({ command: process.execPath, args: [PROGRAM, "environment"] })).toHaveProperty("PATH");
    await using scripted = await startScriptedAgent([{ say: "Here." }]);
    await using agent = await connectAgent(scripted.app);
    expect(await agent.think().text("Hi.").run()).toBe("Here.");
  });

  test.each([
    ["", "No agent is selected. Pass one to connectAgent(), or set SKILLSET_AGENT to a known agent (claude, "],
    ["cluade", "'cluade' is neither a known agent nor a program on the PATH. Set SKILLSET_AGENT to one of claude, "],
    ["cursor", "'cursor' has no known program that speaks ACP. Set SKILLSET_AGENT to one of claude, "],
    ["no-such-agent --acp", "The agent 'no-such-agent' cannot be started: the program was not found."],
  ])("that is '%s' is an error that says what to set", async (value, message) => {
    vi.stubEnv("SKILLSET_AGENT", value);
    await expect(connectAgent()).rejects.toMatchObject({
      code: "agent-not-found",
      message: expect.stringContaining(message),
    });
  });

  test("with an unclosed quote is an error", async () => {
    vi.stubEnv("SKILLSET_AGENT", "'my agent --acp");
    await expect(connectAgent("claude")).rejects.toMatchObject({ code: "option-invalid" });
  });
});
