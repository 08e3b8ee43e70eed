import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { main } from "../../main.ts";
import { runCaptured } from "../../run-captured.ts";

const PROGRAM = fileURLToPath(new URL("../../../../bin/skillset.js", import.meta.url));
const FILES = {
  "skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  "skills/tea/scripts/brew.sh": 'echo "brewing $1"\n',
};
const BREW = {
  name: "run_skill_script",
  arguments: { skill: "tea", script: "scripts/brew.sh", args: ["green"] },
} as const;

type Era = "legacy" | "auto";

/** A client whose user answers `answer`, or that cannot ask. */
function createClient(mode: Era, answer?: string): Client {
  const options: ClientOptions = {
    versionNegotiation: { mode },
    ...(answer !== undefined && { capabilities: { elicitation: {} } }),
  };
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  onTestFinished(() => client.close());
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer } }));
  return client;
}

async function overStdio(client: Client, ...argv: string[]): Promise<Client> {
  const folder = join(temporaryFolder(FILES), "skills");
  const args = [PROGRAM, "serve", folder, ...argv];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

/** Starts the command over HTTP in this process. */
async function overHttp(client: Client, ...argv: string[]): Promise<string> {
  const cwd = temporaryFolder(FILES);
  const controller = new AbortController();
  let stderr = "";
  const write = (chunk: Uint8Array | string, done: () => void): void => {
    stderr += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    done();
  };
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  const io = {
    cwd,
    home: `${cwd}/no-home`,
    env: {},
    signal: controller.signal,
    stdin,
    stdout: { write },
    stderr: { write },
  };
  const ended = main(["serve", "skills", "--http", ...argv], io);
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  await vi.waitFor(() => expect(stderr).toContain("Ctrl-C ends it."), { timeout: 20_000 });
  const [url = ""] = /http:\S+/.exec(stderr) ?? [];
  const requestInit = { headers: { authorization: /Bearer \S+$/m.exec(stderr)?.[0] ?? "" } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return stderr;
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const textOf = async (client: Client) => ((await client.callTool(BREW)).content[0] as { text: string }).text;

describe.each(["legacy", "auto"] as const)("a client that negotiates '%s'", (era) => {
  test("cannot run scripts by default", async () => {
    const client = await overStdio(createClient(era, "Run once"));
    expect(await toolsOf(client)).not.toContain("run_skill_script");
  });

  test("runs scripts over stdio after its user consented, and otherwise gets the flag", async () => {
    const asking = await overStdio(createClient(era, "Run once"), "--scripts", "subprocess");
    expect(await textOf(asking)).toContain("brewing green");
    const silent = await overStdio(createClient(era), "--scripts", "subprocess");
    expect(await textOf(silent)).toMatch(
      /^The scripts of skill 'tea' may not run: .* Start the server with --allow-scripts tea$/,
    );
  });

  test("runs the scripts of an allowed skill over stdio and HTTP without a question", async () => {
    const argv = ["--scripts", "subprocess", "--allow-scripts", "tea"];
    expect(await textOf(await overStdio(createClient(era), ...argv))).toContain("brewing green");
    const client = createClient(era);
    const stderr = await overHttp(client, ...argv);
    expect(stderr).toContain(
      "Every client may run scripts here (subprocess): those of tea, and those that its user consents to.\n",
    );
    expect(await textOf(client)).toContain("brewing green");
  });
});

test("over HTTP, a client's user can consent", async () => {
  const client = createClient("auto", "Run once");
  await overHttp(client, "--scripts", "subprocess");
  expect(await textOf(client)).toContain("brewing green");
});

test("--allow-scripts alone uses a sandbox, or reports why there is none", async () => {
  const client = createClient("auto");
  const stderr = await overHttp(client, "--allow-scripts", "tea", "--allow-scripts", "tee");
  expect(stderr).toContain("'--allow-scripts tee': there is no skill 'tee'.\n");
  if (stderr.includes("Scripts are disabled")) expect(await toolsOf(client)).not.toContain("run_skill_script");
  else expect(await textOf(client)).toContain("brewing green");
  expect(stderr).not.toContain("(subprocess)");
});

test("an unknown runner is a usage error", async () => {
  const { code, stderr } = await runCaptured(["serve", "skills", "--scripts", "docker"], {
    cwd: temporaryFolder(FILES),
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^'--scripts' takes auto, bubblewrap, sandbox-runtime, embedded or subprocess, not 'docker'/);
});
