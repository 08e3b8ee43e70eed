import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { startScriptedModel } from "@skillset/testing";
import {
  ClaudeAgentSDKAdapter,
  ClaudeAgentWorkspaceSection,
  IsolationConfig,
  type IsolationConfigOptions,
  NetworkPolicy,
} from "skillset/claude";
import { MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { needsAgents } from "./installed.ts";

needsAgents();

const isReady = ["bwrap --version", "socat -V"].every((command) => spawnSync("sh", ["-c", command]).status === 0);
const sandboxed = test.skipIf(process.platform === "linux" && !isReady);
if (process.platform === "linux" && !isReady) test.skip("needs a sandbox: apt-get install bubblewrap socat", () => {});

sandboxed(
  "in a home with no network and a read-only mount, commands of Claude Code reach and change nothing",
  async () => {
    const seen = await tryOut((outside) => ({
      networkPolicy: NetworkPolicy.noNetwork(),
      sandbox: { denyRead: [outside] },
    }));
    expect(seen).toEqual({
      requests: [],
      shown: { direct: false, proxied: false, secret: false, own: true },
      repo: "same",
      note: "same",
      hasWritten: false,
    });
  },
);

test("without these settings, the same commands do", async () => {
  expect(await tryOut(() => ({}))).toEqual({
    requests: ["/direct", "/proxied"],
    shown: { direct: true, proxied: true, secret: true, own: true },
    repo: "changed",
    note: "changed",
    hasWritten: true,
  });
});

sandboxed("Claude Code does not edit a read-only mount with its own tools", async () => {
  const input = { file_path: "repo/a.md", content: "changed" };
  const { results, workspace } = await evaluate(
    [{ call: "Read", input: { file_path: "repo/a.md" } }, { call: "Write", input }, { say: "Done." }],
    { networkPolicy: NetworkPolicy.noNetwork() },
  );
  expect(results[1]).toMatch(/denied/);
  expect(readFileSync(join(workspace, "repo/a.md"), "utf8")).toBe("same");
});

const WRITE = 'for (const path of ["repo/a.md", "note.md"]) try { fs.writeFileSync(path, "changed"); } catch {}';

/** Lets the model run commands that try to get out, and returns what they did. */
async function tryOut(options: (outside: string) => IsolationConfigOptions) {
  const outside = temporaryFolder({ "secret.txt": "canary" });
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.end("reached");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const get = (path: string) => `printf 'GET ${path} HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;
  const bash = (command: string) => ({ call: "Bash", input: { command, description: "Tries it" } });
  const { results, workspace } = await evaluate(
    [
      bash(`exec 3<>/dev/tcp/127.0.0.1/${port}; ${get("/direct")}`),
      // In the sandbox, this is the port of its proxy.
      bash(
        `if (exec 3<>/dev/tcp/127.0.0.1/3128) 2>/dev/null; then exec 3<>/dev/tcp/127.0.0.1/3128; ${get(`http://127.0.0.1:${port}/proxied`)}; else exec 3<>/dev/tcp/127.0.0.1/${port}; ${get("/proxied")}; fi`,
      ),
      // Claude Code itself looks at what a shell redirects to.
      bash(`chmod -R u+w repo note.md; node -e '${WRITE}'`),
      bash(`echo written >${outside}/new.txt`),
      bash(`cat ${outside}/secret.txt`),
      bash("echo own >own.txt; cat own.txt"),
      { say: "Done." },
    ],
    options(outside),
  );
  const [direct = "", proxied = "", , , secret = "", own = ""] = results;
  return {
    requests,
    shown: {
      direct: direct.includes("reached"),
      proxied: proxied.includes("reached"),
      secret: secret.includes("canary"),
      own: own.includes("own"),
    },
    repo: readFileSync(join(workspace, "repo/a.md"), "utf8"),
    note: readFileSync(join(workspace, "note.md"), "utf8"),
    hasWritten: existsSync(join(outside, "new.txt")),
  };
}

/** Evaluates a prompt whose workspace has two read-only mounts. Returns the results of the model's calls. */
async function evaluate(steps: Parameters<typeof startScriptedModel>[0], options: IsolationConfigOptions) {
  const root = temporaryFolder({ "repo/a.md": "same", "note.md": "same" });
  const workspace = new ClaudeAgentWorkspaceSection({
    mounts: ["repo", "note.md"].map((mountPath) => ({ hostPath: join(root, mountPath), mountPath, readOnly: true })),
    allowedHostRoots: [root],
  });
  onTestFinished(() => workspace.cleanup());
  await using model = await startScriptedModel(steps);
  const isolation = new IsolationConfig({
    ...options,
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "any",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // As root, Claude Code skips permission prompts only in a sandbox.
      IS_SANDBOX: "1",
    },
  });
  // Nothing but the settings stops it.
  const clientConfig = { model: "claude-sonnet-4-5", permissionMode: "bypassPermissions" } as const;
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Try." });
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "sandbox", sections: [task, workspace] }));
  const adapter = new ClaudeAgentSDKAdapter({ sdk, clientConfig, isolation });
  await adapter.evaluate(prompt, { signal: AbortSignal.timeout(60_000) });
  expect(model.faults).toEqual([]);
  const turns = model.requests.filter(({ side }) => !side);
  const results = turns.slice(1).map(({ toolResults }) => toolResults.at(-1)?.text ?? "");
  return { results, workspace: workspace.tempDir };
}
