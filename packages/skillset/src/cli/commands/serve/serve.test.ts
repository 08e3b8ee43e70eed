import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import { agentNamesWith } from "../../../agents/find-agent.ts";
import { main } from "../../main.ts";
import { runCaptured } from "../../run-captured.ts";
import { programFor } from "./print-client-config.ts";

const CLIENTS = agentNamesWith("mcp");

const SKILLS = { "skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs.") };
const PROGRAM = fileURLToPath(new URL("../../../../bin/skillset.js", import.meta.url));

/** Runs the command until it ends by itself. */
async function serve(...argv: string[]) {
  const cwd = temporaryFolder(SKILLS);
  return { cwd, ...(await runCaptured(["serve", ...argv], { cwd })) };
}

/** Starts the command over HTTP in this process; `stop` is Ctrl-C. */
async function listen(cwd: string, ...argv: string[]) {
  const controller = new AbortController();
  let stderr = "";
  const output = (write: (text: string) => void) => ({
    write(chunk: Uint8Array | string, done: () => void) {
      write(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      done();
    },
  });
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  const outputs = { stdout: output(() => {}), stderr: output((text) => (stderr += text)) };
  const io = { cwd, home: `${cwd}/no-home`, env: {}, signal: controller.signal, stdin, ...outputs };
  const ended = main(["serve", ...argv], io);
  const stop = (): Promise<number> => {
    controller.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await vi.waitFor(() => expect(stderr).toContain("Ctrl-C ends it."), { timeout: 20_000 });
  const url = /http:\S+/.exec(stderr)?.[0] ?? "";
  const token = /Bearer (\S+)$/m.exec(stderr)?.[1] ?? "";
  return { url, token, stop, stderr: () => stderr };
}

async function connectTo(url: string, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

test("skillset serve --help shows its options and examples", async () => {
  const { code, stdout } = await serve("--help");
  expect(code).toBe(0);
  for (const option of [
    "http",
    "host",
    "allowed-host",
    "token-file",
    "oauth-issuer",
    "watch",
    "print-config",
    "recursive",
    "allow",
  ]) {
    expect(stdout).toContain(`--${option}`);
  }
  expect(stdout.replace(/\s+/g, " ")).toContain(CLIENTS.join(", "));
  expect(stdout.split("Examples")[1]?.match(/^ {2}skillset serve/gm)).toHaveLength(6);
});

/** The server's entry in the settings for a client. */
function entryOf(client: (typeof CLIENTS)[number], text: string): Record<string, unknown> {
  if (client === "codex") {
    const [table, ...lines] = text.trimEnd().split("\n");
    expect(table).toBe("[mcp_servers.skillset]");
    return Object.fromEntries(
      lines.map((line) => {
        const [, key = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? [];
        return [key, JSON.parse(value)];
      }),
    );
  }
  const config = JSON.parse(text);
  return (config.mcpServers ?? config.servers ?? config.mcp).skillset;
}

describe.each(CLIENTS)("--print-config %s", (client) => {
  test("prints how to start this program, with the options, and paths that work on other machines", async () => {
    const argv = [
      "skills",
      "~/more skills",
      "~backup",
      "/elsewhere",
      "--recursive",
      "--disable",
      "a*",
      "--disable",
      "b",
      "--watch",
    ];
    const { code, stdout, stderr, cwd } = await serve(...argv, "--print-config", client);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Add this to .+:\n/);
    const { command, args = [] } = entryOf(client, stdout) as { command: string | string[]; args?: string[] };
    const [program, script, ...rest] = [command, args].flat(2);
    expect(program).toBe(process.execPath);
    expect(script).toBe(process.argv[1]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it
    const folder = { codex: cwd, cursor: "${workspaceFolder}", vscode: "${workspaceFolder}" }[client as string] ?? ".";
    expect(rest.slice(0, 5)).toEqual(["serve", `${folder}/skills`, "~/more skills", `${folder}/~backup`, "/elsewhere"]);
    // Only a program that is installed by name can be shared; this one is the test runner.
    expect(stderr.includes("on this machine")).toBe(client !== "codex");
    expect(rest.slice(5).toSorted()).toEqual(["--disable=a*", "--disable=b", "--recursive", "--watch"]);
  });

  test("with --http prints the URL and a placeholder for the token, but never the token", async () => {
    const { cwd } = await serve("--help");
    writeFileSync(join(cwd, "token"), "a-token-of-a-good-length\n");
    const argv = ["serve", "--http", "8808", "--token-file", "token", "--print-config", client];
    const { code, stdout, stderr } = await runCaptured(argv, { cwd });
    expect(code).toBe(0);
    const entry = entryOf(client, stdout);
    expect(entry.url ?? entry.httpUrl).toBe("http://127.0.0.1:8808/mcp");
    expect(stdout).toMatch(/SKILLSET_TOKEN|skillset-token/);
    expect(stdout + stderr).not.toContain("a-token-of-a-good-length");
    expect(stderr).toContain("SKILLSET_TOKEN");
  });
});

test.each([
  ["/project/node_modules/.bin/skillset", "npx skillset"],
  ["/project/node_modules/skillset/bin/skillset.js", "npx skillset"],
  ["/home/me/.npm/_npx/1/node_modules/.bin/skillset", "npx -y skillset"],
  ["/usr/local/bin/skillset", "skillset"],
  ["/clone/packages/skillset/bin/skillset.js", `${process.execPath} /clone/packages/skillset/bin/skillset.js`],
])("--print-config starts %s with '%s'", (program, command) => {
  expect(programFor(program, "/project").join(" ")).toBe(command);
});

test("--print-config uses the host name that clients can use", async () => {
  const { stdout } = await serve(
    ...["--http", "8808", "--host", "0.0.0.0", "--allowed-host", "skills.example.com", "--print-config", "claude"],
  );
  expect(entryOf("claude", stdout).url).toBe("http://skills.example.com:8808/mcp");
});

describe("a usage error is one line with exit code 2:", () => {
  test.each([
    [["--http", "99999"], "'--http' needs a port up to 65535, not '99999'."],
    [
      ["--http", "abc"],
      "'--http' takes a number, not 'abc'. If 'abc' is a path, write it first: 'skillset serve abc --http'.",
    ],
    [["--http=abc"], "'--http' needs a whole number of at least 0, not 'abc'."],
    [["--host", "0.0.0.0"], "'--host' needs '--http'."],
    [["--allowed-host", "x"], "'--allowed-host' needs '--http'."],
    [["--token-file", "x"], "'--token-file' needs '--http'."],
    [["--host"], "'--host' needs a value (HOST)."],
    [["--watch=yes"], "'--watch' takes no value."],
    [["--prot", "1"], "'skillset serve' has no option '--prot'; see 'skillset serve --help'."],
    [["--print-config", "cluade"], "did you mean 'claude'?"],
    [
      ["--print-config", "pi"],
      "'pi' has no known settings for MCP servers. '--print-config' takes claude, codex, gemini,",
    ],
    [["--http", "--print-config", "claude"], "'--print-config' needs '--http' with a port"],
  ])("%j", async (argv, sentence) => {
    const { code, stdout, stderr } = await serve("skills", ...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(sentence);
  });
});

describe("an error is one line with exit code 1:", () => {
  test("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { code, stdout, stderr } = await serve("skills", "--http", String(port));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `Cannot listen on 127.0.0.1:${port}: the port is already in use; choose another port, or 0 for a free one.\n`,
    );
  });

  test("a folder that does not exist", async () => {
    const { code, stderr } = await serve("nowhere", "--http");
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test.each([
    ["is empty", ""],
    ["is short", "short"],
    ["has spaces", "one two three four five"],
    ["has two lines", "a-token-of-a-good-length\nanother-token-of-a-good-length"],
    ["is not plain", "tökentökentökentöken"],
    ["is endless", "x".repeat(513)],
  ])("a token that %s", async (_, token) => {
    const cwd = temporaryFolder({ ...SKILLS, token });
    const { code, stderr } = await runCaptured(["serve", "skills", "--http", "--token-file", "token"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toBe("'token' must contain one token of at least 16 characters without spaces.\n");
    expect(readFileSync(join(cwd, "token"), "utf8")).toBe(token);
  });

  test("a token file that is a folder", async () => {
    const cwd = temporaryFolder(SKILLS);
    mkdirSync(join(cwd, "token"));
    const { code, stderr } = await runCaptured(["serve", "skills", "--http", "--token-file", "token"], { cwd });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("skillset serve --http", () => {
  test("serves until Ctrl-C, and prints the URL and the token", async () => {
    const cwd = temporaryFolder(SKILLS);
    const { url, token, stop, stderr } = await listen(cwd, "skills", "--http");
    expect(stderr()).toMatch(
      /^Serving 1 skill at http:\/\/127\.0\.0\.1:\d+\/mcp\nClients send: Authorization: Bearer [\w-]{43}\n/,
    );
    const client = await connectTo(url, token);
    expect(client.getInstructions()).toContain("**pdf**");
    await expect(connectTo(url, "another-token-altogether")).rejects.toThrow();
    expect(await stop()).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("selects skills as the other commands do", async () => {
    const cwd = temporaryFolder({ ...SKILLS, "skills/xls/SKILL.md": skillMd("xls") });
    const { url, token } = await listen(cwd, "skills", "--http", "0", "--disable", "p*");
    const { prompts } = await (await connectTo(url, token)).listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["xls"]);
  });

  test.skipIf(process.platform === "win32").each([
    [0o644, true],
    [0o640, true],
    [0o602, true],
    [0o600, false],
    [0o400, false],
  ])("warns of a token file that other users can read or change: mode %o", async (mode, isWarned) => {
    const cwd = temporaryFolder({ ...SKILLS, token: "a-token-of-a-good-length" });
    chmodSync(join(cwd, "token"), mode);
    const { url, stderr } = await listen(cwd, "skills", "--http", "--token-file", "token");
    await connectTo(url, "a-token-of-a-good-length");
    const warning = "Other users of this machine can read or change the token in 'token'. Run: chmod 600 token\n";
    expect(stderr().includes(warning)).toBe(isWarned);
  });

  test("creates a token file that only this user can read, reuses it, and does not print the token", async () => {
    const cwd = temporaryFolder(SKILLS);
    const argv = ["skills", "--http", "--token-file", "token"];
    const first = await listen(cwd, ...argv);
    const file = join(cwd, "token");
    const token = readFileSync(file, "utf8").trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(first.stderr()).not.toContain(token);
    expect(first.stderr()).toContain("(the token in token)");
    await connectTo(first.url, token);
    await first.stop();
    chmodSync(file, 0o400);
    const second = await listen(cwd, ...argv);
    await connectTo(second.url, token);
    expect(readFileSync(file, "utf8").trim()).toBe(token);
  });

  test("warns if there is no skill, and serves anyway", async () => {
    const cwd = temporaryFolder({ "skills/README.md": "" });
    const { stderr } = await listen(cwd, "skills", "--http");
    expect(stderr()).toMatch(
      /^No skill is available to serve\. 'skillset list' shows what was found, and where\.\nServing 0 skills at /,
    );
  });

  test("says how many skills are locked, and how many are in other folders", async () => {
    const files = { ".git/HEAD": "", "skills/tea/SKILL.md": skillMd("tea"), "plugins/pdf/SKILL.md": skillMd("pdf") };
    const { stderr } = await listen(temporaryFolder(files), "--http");
    expect(stderr()).toContain("1 skill of this project is locked. Review it, then run 'skillset trust'.\n");
    expect(stderr()).toContain("1 skill below this folder is not in a standard folder (plugins/pdf).");
  });

  test("reports why a skill is not published", async () => {
    const cwd = temporaryFolder({ "skills/Bad/SKILL.md": skillMd("Bad") });
    const { url, token, stderr } = await listen(cwd, "skills", "--http");
    await (await connectTo(url, token)).listResources();
    await vi.waitFor(() => expect(stderr()).toContain("'Bad' is not published"), { timeout: 10_000 });
  });

  test("--watch follows changes on disk", async () => {
    const cwd = temporaryFolder(SKILLS);
    const { url, token, stderr } = await listen(cwd, "skills", "--http", "--watch");
    const client = await connectTo(url, token);
    const names = async () => (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(await names()).toEqual(["pdf"]);
    await untilNoticed(cwd, "xls", async () => expect(await names()).toEqual(["pdf", "xls"]));
    expect(stderr()).toContain("Serving 2 skills now: 1 added, 0 changed, 0 removed.");
    rmSync(join(cwd, "skills/xls"), { recursive: true });
    await vi.waitFor(async () => expect(await names()).toEqual(["pdf"]), { timeout: 20_000, interval: 100 });
  });
});

test("skillset serve --watch, over stdin and stdout, notifies the client of a skill that is added on disk", async () => {
  const cwd = temporaryFolder(SKILLS);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "serve", join(cwd, "skills"), "--watch"],
    stderr: "ignore",
  });
  const seen: (string[] | undefined)[] = [];
  const onChanged = (_error: unknown, prompts: readonly { name: string }[] | null) =>
    void seen.push(prompts?.map(({ name }) => name));
  const client = new Client({ name: "test", version: "1.0.0" }, { listChanged: { prompts: { onChanged } } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call = async (name: string) => client.callTool({ name: "activate_skill", arguments: { name } });
  expect((await call("xls")).isError).toBe(true);
  await untilNoticed(cwd, "xls", async () => expect(seen.at(-1)).toEqual(["pdf", "xls"]));
  const { content } = await call("xls");
  expect(JSON.stringify(content)).toContain(`Skill directory: ${cwd}/skills/xls`);
});

/** Adds a skill, and repeats it until it is noticed: the first time can be before the watch has started. */
async function untilNoticed(cwd: string, name: string, check: () => Promise<void>): Promise<void> {
  // Another write during a reload would only delay it.
  for (let attempt = 1; ; attempt++) {
    writeFiles(cwd, { [`skills/${name}/SKILL.md`]: skillMd(name) });
    try {
      return await vi.waitFor(check, { timeout: 5_000, interval: 100 });
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

test("--host without --allowed-host is a usage error for an address that other machines can reach", async () => {
  const { code, stderr } = await serve("skills", "--http", "--host", "0.0.0.0");
  expect(code).toBe(2);
  expect(stderr).toBe("'--host 0.0.0.0' needs '--allowed-host NAME', the host name that clients use.\n");
});
