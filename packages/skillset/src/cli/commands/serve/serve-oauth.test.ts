import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { startAuthorizationServer } from "../../../../../../test/mcp/authorization-server.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { agentNamesWith } from "../../../agents/find-agent.ts";
import { connectHttp } from "../../../mcp/index.ts";
import { main } from "../../main.ts";
import { runCaptured } from "../../run-captured.ts";

const folder = () => temporaryFolder({ "skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs.") });
const ISSUER = "--oauth-issuer=https://login.example.com";

test("the command serves clients whose tokens an authorization server issued", async () => {
  const authority = await startAuthorizationServer();
  onTestFinished(() => authority.close());
  const controller = new AbortController();
  let stderr = "";
  const output = (write: (text: string) => void) => ({
    write(chunk: Uint8Array | string, done: () => void) {
      write(String(chunk));
      done();
    },
  });
  const cwd = folder();
  const ended = main(["serve", "skills", "--http", `--oauth-issuer=${authority.issuer}`, "--oauth-scope=skills:read"], {
    cwd,
    home: `${cwd}/no-home`,
    env: {},
    signal: controller.signal,
    stdin: Object.assign(Readable.from([]), { isTTY: false }),
    stdout: output(() => {}),
    stderr: output((text) => (stderr += text)),
  });
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  await vi.waitFor(() => expect(stderr).toContain("Ctrl-C ends it."), { timeout: 20_000 });
  expect(stderr).toContain(`Clients log in at ${authority.issuer}`);
  expect(stderr).not.toContain("Bearer");
  const url = /Serving 1 skill at (\S+)/.exec(stderr)?.[1] ?? "";
  const connect = (scope: string) =>
    connectHttp(url, { authProvider: { token: () => authority.token({ resource: url, scope }) } });
  const client = await connect("skills:read");
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: "pdf" }]);
  await client.close();
  await expect(connect("skills:admin")).rejects.toMatchObject({ code: "authorization-failed" });
});

test.each([
  [["--http", "--oauth-scope=read"], "'--oauth-scope' needs '--oauth-issuer'."],
  [[ISSUER], "'--oauth-issuer' needs '--http'."],
  [["--http", ISSUER, "--token-file=token"], "Use either '--token-file' or '--oauth-issuer'"],
  [["--http", ISSUER, "--host=0.0.0.0", "--allowed-host=skills.example.com"], "needs '--oauth-resource URL'"],
])("%j is a usage error", async (argv, message) => {
  const { code, stderr } = await runCaptured(["serve", "skills", ...argv], { cwd: folder() });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("an issuer without https is reported", async () => {
  const argv = ["serve", "skills", "--http", "--oauth-issuer=http://login.example.com"];
  const { code, stderr } = await runCaptured(argv, { cwd: folder() });
  expect(code).toBe(1);
  expect(stderr).toContain("http://login.example.com");
});

test.each(agentNamesWith("mcp"))("the settings for %s have the public URL and no token", async (client) => {
  const resource = "https://skills.example.com/mcp";
  const argv = ["serve", "skills", "--http=8808", ISSUER, `--oauth-resource=${resource}`, `--print-config=${client}`];
  const { code, stdout, stderr } = await runCaptured(argv, { cwd: folder() });
  expect(code).toBe(0);
  expect(stdout).toContain(resource);
  expect(stdout).not.toMatch(/token|authorization|headers/i);
  expect(stderr).not.toContain("SKILLSET_TOKEN");
});
