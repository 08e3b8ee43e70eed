import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startScriptedModel } from "../../packages/testing/src/index.ts";
import { skillMd, writeFiles } from "../temporary-folder.ts";
import { turnsOf } from "./agent-under-test.ts";
import { expectNone, faultyCommand } from "./faulty-agent.ts";
import { GUIDE_BODY, storeGuide } from "./guide-skills.ts";
import { saidTo, startAcp, startEditor } from "./scripted-editor.ts";

const DEADLINE = { timeout: 45_000 };

const SCRIPT = [
  { call: "skillset__activate_skill", input: { name: "bird-guide" } },
  { say: "That was an oystercatcher." },
];

/** Tests that run at once cannot remove their folders on their own. */
const ROOT = realpathSync(mkdtempSync(join(tmpdir(), "skillset-test-")));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 5 }));

/** An agent in one of its modes, and the words that start it behind an editor. */
function agentIn(mode: string, ...args: string[]) {
  const { command, processes } = faultyCommand(mode, ...args);
  const folder = mkdtempSync(join(ROOT, "folder-"));
  const tmp = join(folder, "tmp");
  mkdirSync(tmp);
  storeGuide(folder);
  const words = ["--skill", join(folder, "skills"), "--", command.command, ...(command.args ?? [])];
  return { words, env: { ...command.env, TMPDIR: tmp }, processes, folder, tmp };
}

describe.concurrent("skillset acp", DEADLINE, () => {
  test.each([
    ["model", "http"],
    ["stdio-only", "stdio"],
  ])("brings an agent (%s) skills over %s, and leaves nothing behind", async (mode) => {
    await using model = await startScriptedModel(SCRIPT, { isSide: () => false });
    const { words, env, processes, folder, tmp } = agentIn(mode, model.url);
    const editor = await startEditor(words, { env });
    const session = await editor.open(folder);
    await session.prompt("Which bird has a red beak?");
    expect(saidTo(editor.updates)).toBe("That was an oystercatcher.");
    expect(
      turnsOf(model)[1]
        ?.toolResults.map((result) => result.text)
        .join(),
    ).toContain(GUIDE_BODY);
    expect(editor.asked).toEqual([]);
    expect(session.commands()).toMatchObject([{ name: "bird-guide" }]);
    expect(processes().length).toBeGreaterThan(1);
    expect(await editor.close()).toEqual({ code: 0, signal: null, errors: `skillset: 1 skill in ${folder}.\n` });
    await expectNone(processes);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test("loads the skills of the standard folders of the editor's folder, and says which are locked", async () => {
    await using model = await startScriptedModel([{ say: "Yes." }], { isSide: () => false });
    const { command } = faultyCommand("model", model.url);
    const folder = mkdtempSync(join(ROOT, "folder-"));
    writeFiles(folder, {
      "project/.git/HEAD": "",
      "project/.agents/skills/release/SKILL.md": skillMd("release"),
      "home/.agents/skills/notes/SKILL.md": skillMd("notes", "Takes notes."),
    });
    const env = { ...command.env, HOME: join(folder, "home") };
    const editor = await startEditor(["--", command.command, ...(command.args ?? [])], { env, cwd: folder });
    const session = await editor.open(join(folder, "project"));
    await session.prompt("Do you take notes?");
    const [request] = turnsOf(model);
    expect(JSON.stringify(request?.messages)).toContain("Takes notes.");
    expect(JSON.stringify(request?.messages)).not.toContain("release");
    const { errors } = await editor.close();
    expect(errors).toContain("1 skill locked: run 'skillset trust' there, and start a new conversation.");
  });

  test("answers the editor and exits with 1 if the agent is not found", async () => {
    const { child, errors, ended } = startAcp(["--", "/no/such/agent"]);
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"initialize"}\n');
    const output = text(child.stdout);
    expect(await ended).toEqual({ code: 1, signal: null });
    const message = "The agent '/no/such/agent' cannot be started: the program was not found.";
    expect(await errors).toBe(`${message}\n`);
    expect(JSON.parse(await output)).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32_603, message } });
  });

  test("answers the editor with how to install a known agent", async () => {
    const { child, errors, ended } = startAcp(["opencode"], { env: { PATH: "/nowhere", HOME: ROOT } });
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"initialize"}\n');
    const output = text(child.stdout);
    expect(await ended).toEqual({ code: 1, signal: null });
    const message = expect.stringContaining("Install it with: npm install --global opencode-ai");
    expect(await errors).toEqual(message);
    expect(JSON.parse(await output)).toMatchObject({ id: 7, error: { message } });
  });

  test("answers the editor and exits with 1 if the agent ends before it responded", async () => {
    const { words, env, processes } = agentIn("exit-at-start");
    const { child, errors, ended } = startAcp(words, { env });
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"initialize"}\n');
    const output = text(child.stdout);
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(await errors).toMatch(
      /^This agent cannot start: no licence\.\nThe agent '.*' exited with code 3 before it responded\. It must speak ACP over stdin and stdout\.\n$/,
    );
    expect(JSON.parse(await output)).toMatchObject({ id: 7, error: { message: expect.stringContaining("code 3") } });
    await expectNone(processes);
  });

  test("answers an open prompt and exits with 1 if the agent dies", async () => {
    const { words, env, folder, processes } = agentIn("exit-mid-turn");
    const editor = await startEditor(words, { env });
    const session = await editor.open(folder);
    await expect(session.prompt("/unknown")).rejects.toThrow(/The agent '.*' exited with code 7\./);
    expect(saidTo(editor.updates)).toBe("I am about to");
    expect(await editor.ended).toEqual({ code: 1, signal: null });
    await expectNone(processes);
  });

  test.each([
    ["closes its end while the agent works", "hang"],
    ["closes its end, and the agent ignores everything but SIGKILL", "deaf"],
    ["closes its end, and the agent has left a process behind", "grandchild"],
  ])("ends everything if the editor %s", async (_how, mode) => {
    const { words, env, folder, processes } = agentIn(mode);
    const editor = await startEditor(words, { env });
    const session = await editor.open(folder);
    session.prompt("/unknown").catch(() => {});
    await vi.waitFor(() => expect(processes().length).toBeGreaterThan(1));
    expect(await editor.close()).toMatchObject({ code: 0 });
    await expectNone(processes);
  });

  test("ends everything if the editor is killed while the agent writes", async () => {
    const { words, env, folder, processes } = agentIn("flood");
    const { child, ended } = startAcp(words, { env });
    child.stdin.write(lines({ id: 1, method: "initialize", params: { protocolVersion: 1 } }));
    await once(child.stdout, "data");
    child.stdin.write(lines({ id: 2, method: "session/new", params: { cwd: folder, mcpServers: [] } }));
    const [answer] = (await once(child.stdout, "data")) as [Buffer];
    const { sessionId } = (JSON.parse(answer.toString().split("\n")[0] ?? "") as { result: { sessionId: string } })
      .result;
    const prompt = [{ type: "text", text: "/unknown" }];
    child.stdin.write(lines({ id: 3, method: "session/prompt", params: { sessionId, prompt } }));
    await once(child.stdout, "data");
    // Both ends of a killed process are closed at once.
    child.stdout.destroy();
    child.stdin.destroy();
    expect(await ended).toEqual({ code: 0, signal: null });
    await expectNone(processes);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 0],
  ] as const)("ends everything on %s", async (signal, code) => {
    const { words, env, folder, processes } = agentIn("grandchild");
    const editor = await startEditor(words, { env });
    await editor.open(folder);
    editor.child.kill(signal);
    expect(await editor.ended).toEqual({ code, signal: null });
    await expectNone(processes);
  });

  test("continues after lines of the agent that are not JSON", async () => {
    const { words, env, folder } = agentIn("broken-json");
    const editor = await startEditor(words, { env });
    const session = await editor.open(folder);
    expect(await session.prompt("/unknown")).toMatchObject({ stopReason: "end_turn" });
    const { errors } = await editor.close();
    expect(errors.match(/not JSON/g)).toHaveLength(1);
  });

  test("passes 10,000 updates on in order", async () => {
    const { words, env, folder } = agentIn("flood");
    const editor = await startEditor(words, { env });
    const session = await editor.open(folder);
    session.prompt("/unknown").catch(() => {});
    await vi.waitFor(() => expect(editor.updates.length).toBeGreaterThan(10_000), { timeout: 30_000 });
    const said = saidTo(editor.updates).trim().split(" ").slice(0, 10_000).map(Number);
    expect(said).toEqual(said.map((_one, index) => index));
    await editor.close();
  });

  test("starts the agent that SKILLSET_AGENT names, and records its messages in SKILLSET_TRACE", async () => {
    await using model = await startScriptedModel(SCRIPT, { isSide: () => false });
    const { words, env, folder } = agentIn("model", model.url);
    const line = words.slice(words.indexOf("--") + 1).map((word) => `'${word}'`);
    const variables = { SKILLSET_AGENT: line.join(" "), SKILLSET_TRACE: "trace.ndjson", EXAMPLE_API_KEY: "sk-secret" };
    const given = { env: { ...env, ...variables }, cwd: folder };
    const editor = await startEditor(["--skill", join(folder, "skills")], given);
    const session = await editor.open(folder);
    await session.prompt("Which bird has a red beak? My key is sk-secret.");
    expect(saidTo(editor.updates)).toBe("That was an oystercatcher.");
    expect(await editor.close()).toMatchObject({ code: 0 });
    const file = join(folder, "trace.ndjson");
    const traced = readFileSync(file, "utf8");
    const messages = traced
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one));
    const sent = messages.flatMap(({ direction, message }) => (direction === "sent" ? (message.method ?? []) : []));
    expect(sent).toEqual(["initialize", "session/new", "session/prompt"]);
    const received = messages.filter(({ direction }) => direction === "received");
    expect(received.map(({ message }) => message.method)).toContain("session/update");
    expect(received.at(-1)?.message).toMatchObject({ result: { stopReason: "end_turn" } });
    // What is added for the agent is in the trace; secrets are not.
    expect(traced).toContain("<skillset_context>");
    expect(traced).toContain("My key is ….");
    expect(traced).not.toMatch(/sk-secret|(?<![\w-])[\w-]{43}(?![\w-])/);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("answers the editor with the known agents if a word is none", async () => {
    const { child, errors, ended } = startAcp(["clade"]);
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"initialize"}\n');
    const output = text(child.stdout);
    expect(await ended).toEqual({ code: 1, signal: null });
    const message = expect.stringContaining(
      "'clade' is neither a known agent nor a program on the PATH. Use one of cl",
    );
    expect(await errors).toEqual(message);
    expect(JSON.parse(await output)).toMatchObject({ id: 7, error: { message } });
  });

  test("needs an agent", async () => {
    const { errors, ended } = startAcp([], { env: { ...process.env, SKILLSET_AGENT: undefined } });
    expect(await ended).toEqual({ code: 2, signal: null });
    expect(await errors).toContain("'skillset acp' needs an agent: a name (claude, ");
  });
});

function lines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}
