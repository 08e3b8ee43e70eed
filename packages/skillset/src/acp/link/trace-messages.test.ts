import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agent as agentApp } from "@agentclientprotocol/sdk";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { withCpuTime } from "../../../../../test/cpu-time.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { type ScriptedAgentOptions, startScriptedAgent } from "../../../../testing/src/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";
import { secretsOf, withoutSecrets } from "./without-secrets.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };
const newFile = () => join(temporaryFolder(), "trace.ndjson");

interface Line {
  readonly time: string;
  readonly connection: string;
  readonly direction: "sent" | "received";
  readonly message: { readonly method?: string; readonly params?: unknown; readonly result?: unknown };
}

const linesIn = (file: string): Line[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function ask(options: ConnectAgentOptions = {}, agentOptions: ScriptedAgentOptions = {}) {
  const scripted = await startScriptedAgent([{ call: "activate_skill", input: { name: "tea" } }, { say: "Ready." }], {
    ...agentOptions,
  });
  const agent = await connectAgent(scripted.app, options);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return agent.think().skill(TEA).text("Make tea.").run();
}

describe("a trace", () => {
  test.each(["option", "variable"])("named by the %s has every message, with time and direction", async (way) => {
    const file = newFile();
    if (way === "variable") vi.stubEnv("SKILLSET_TRACE", file);
    expect(await ask(way === "option" ? { trace: file } : {})).toBe("Ready.");
    const lines = linesIn(file);
    const sent = lines.filter(({ direction }) => direction === "sent").flatMap(({ message }) => message.method ?? []);
    expect(sent.slice(0, 3)).toEqual(["initialize", "session/new", "session/prompt"]);
    const received = lines.filter(({ direction }) => direction === "received");
    expect(received.map(({ message }) => message.method)).toContain("session/update");
    expect(received.map(({ message }) => message.method)).toContain("session/request_permission");
    expect(received[0]?.message).toMatchObject({ result: { agentInfo: { name: "skillset-test-agent" } } });
    expect(readFileSync(file, "utf8")).toContain("Make tea.");
    for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  });

  test.runIf(process.platform !== "win32")("is appended to, and only its owner can read it", async () => {
    const file = newFile();
    writeFileSync(file, '{"old":true}\n');
    chmodSync(file, 0o644);
    await ask({ trace: file });
    await ask({ trace: file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toMatch(/^\{"old":true\}\n/);
    const connections = new Set(linesIn(file).map(({ connection }) => connection));
    expect(connections.size).toBe(3);
  });

  test.each(["http", "stdio"] as const)("has no token of the bridge over %s", async (mcp) => {
    const file = newFile();
    await ask({ trace: file }, { mcp });
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(mcp === "http" ? /"name":"Authorization","value":"…"/ : /"SKILLSET_BRIDGE_TOKEN","value":"…"/);
    expect(text).not.toMatch(/(?<![\w-])[\w-]{43}(?![\w-])/);
  });

  test("has no value of a variable that looks like a key, also in a prompt", async () => {
    vi.stubEnv("EXAMPLE_API_KEY", "sk-very-secret");
    const file = newFile();
    const scripted = await startScriptedAgent([{ say: "It is sk-very-secret." }]);
    await using agent = await connectAgent(scripted.app, { trace: file });
    onTestFinished(() => scripted.close());
    await agent.think().text("My key is sk-very-secret").run();
    expect(readFileSync(file, "utf8")).not.toContain("very-secret");
    expect(readFileSync(file, "utf8")).toContain("My key is …");
  });

  test("does not keep an agent in this process connected", async () => {
    const ended = Promise.withResolvers<string>();
    const app = agentApp()
      .onConnect((connection) => void connection.closed.then(() => ended.resolve("closed")))
      .onRequest("initialize", () => ({ protocolVersion: 1 }));
    await (await connectAgent(app, { trace: newFile() })).close();
    expect(await ended.promise).toBe("closed");
  });

  test("does not hide that an agent in this process has ended", async () => {
    const scripted = await startScriptedAgent([{ hang: true }]);
    await using agent = await connectAgent(scripted.app, { trace: newFile() });
    const run = agent.think().text("Go.").run();
    run.catch(() => {});
    await vi.waitFor(() => expect(scripted.requests).toHaveLength(1));
    await scripted.close();
    await expect(run).rejects.toMatchObject({ code: "agent-failed" });
  });

  test("that cannot be written breaks nothing, and is reported once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const folder = join(temporaryFolder(), "folder");
    mkdirSync(folder);
    for (const _ of [1, 2]) expect(await ask({ trace: folder })).toBe("Ready.");
    expect(warn.mock.calls).toEqual([
      [`skillset: The trace '${folder}' cannot be written (EISDIR). The agent runs without it.`],
    ]);
  });

  test("is not written if the variable is empty", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.stubEnv("SKILLSET_TRACE", "");
    expect(await ask()).toBe("Ready.");
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("secrets are left out:", () => {
  test.each([
    ["the variables of MCP servers", { mcpServers: [{ env: [{ name: "COLOUR", value: "teal" }] }] }, "teal"],
    ["the headers of MCP servers", { mcpServers: [{ headers: [{ name: "X-Team", value: "blue" }] }] }, "blue"],
    ["variables in an object", { env: { COLOUR: "teal" } }, "teal"],
    ["a header in another list", { list: [{ name: "Authorization", value: "Token abc" }] }, "abc"],
    ["a field with the name of a key", { settings: { apiKey: "abc123" } }, "abc123"],
    ["a token in a text", { text: "curl -H 'Authorization: Bearer abc.def'" }, "abc"],
    ["a list in the field of a key", { apiKeys: ["sk-1", "abc123"] }, "abc123"],
    ["an object in the field of a token", { token: { value: "abc123", uses: [{ at: "abc123" }] } }, "abc123"],
    ["a variable of another object", { settings: { DB_PASS: "abc123" } }, "abc123"],
    ["a variable in another list", { list: [{ name: "GITHUB_PAT", value: "abc123" }] }, "abc123"],
    ["the argument after a flag", { args: ["--verbose", "--api-key", "abc123"] }, "abc123"],
    ["the value of a flag", { args: ["--api-key=abc123"] }, "abc123"],
    ["the value of a flag in a command", { command: "x --auth-token 'abc123 d' y" }, "abc123"],
    ["a variable in a command", { command: "OPENAI_API_KEY_PROD=abc123 x" }, "abc123"],
    ["a short variable in a command", { command: "PAT=-abc123 x" }, "abc123"],
    ["a parameter in one word", { url: "/x?apiKey=abc123" }, "abc123"],
    ["a parameter of a URL", { url: "https://host/x?a=1&access_token=abc123#y" }, "abc123"],
    ["the login in a URL", { url: "https://ann:pw123@host/x" }, "pw123"],
  ])("%s", (_, value, secret) => {
    const shown = withoutSecrets(value, []);
    expect(shown).not.toContain(secret);
    expect(shown).toContain("…");
  });

  test("and nothing else is", () => {
    const value = {
      tokens: 12,
      key: 1,
      name: "Key",
      title: "the key",
      path: "/a/b",
      update: { sessionUpdate: "plan" },
      usage: { tokens: { input: 12, cached: null } },
      text: "a key=1, a--b, authors ?keys --- and --token --quiet, and --verbose yes",
      args: ["--verbose", "yes", "--keymap", "de", "--token", "--quiet"],
      author: "Ann",
      list: [{ name: "Author", value: "Ann" }, ["a"], null],
      env: [{ name: "COLOUR", value: "…" }],
    };
    expect(JSON.parse(withoutSecrets(value, []))).toEqual(value);
  });

  test("known values are also left out of names", () => {
    expect(withoutSecrets({ seen: { "id-abc123": 1 } }, ["abc123"])).toBe('{"seen":{"id-…":1}}');
  });

  test("a long line of hyphens takes no time", () => {
    const text = "-".repeat(1_000_000);
    const { result, cpuTime } = withCpuTime(() => withoutSecrets({ text }, []));
    expect(result).toContain(text);
    expect(cpuTime).toBeLessThan(5_000);
  });

  test("values of variables count if their name looks like that of a key, and if they are not short", () => {
    const names = [
      "A_KEY",
      "API_TOKENS",
      "AWS_ACCESS_KEY_ID",
      "GITHUB_PAT",
      "OPENAI_API_KEY_PROD",
      "DB_PASS",
      "SSHPASS",
    ];
    const found = [...names, "MYSQL_PWD", "pat_of_ann"];
    const others = ["PATH", "PWD", "OLDPWD", "PATTERN", "HOME"];
    const env = Object.fromEntries([...found, ...others].map((name) => [name, `value of ${name}`]));
    expect(new Set(secretsOf({ ...env, X_KEY: "abc" }))).toEqual(new Set(found.map((name) => `value of ${name}`)));
  });

  test("values of variables are sorted by length, and the space around them does not count", () => {
    expect(secretsOf({ A_KEY: " short-value\n", B_KEY: "a-longer-value", C_KEY: "  abc   " })).toEqual([
      "a-longer-value",
      "short-value",
    ]);
  });
});
