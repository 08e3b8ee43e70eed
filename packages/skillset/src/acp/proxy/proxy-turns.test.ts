import type { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import { connect, type HarnessOptions, startProxy, updateOf } from "../../../../../test/acp/proxy-harness.ts";
import { processesWith } from "../../../../../test/processes.ts";
import { skillMd } from "../../../../../test/temporary-folder.ts";
import { scriptHostsOf } from "../../core/host/skill-host.ts";

vi.setConfig({ testTimeout: 20_000 });

/** A proxy with one open session, and a client of its server. */
async function startSession(options: HarnessOptions = {}) {
  const proxy = startProxy(options);
  await proxy.initialize();
  const { servers } = await proxy.open();
  return { ...proxy, client: await connect(servers) };
}

const OURS = { toolCallId: "c1", title: "skillset_activate_skill", rawInput: { name: "charts" } };

const SCRIPTS: HarnessOptions = {
  files: {
    "skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
    "skills/tea/scripts/brew.sh": 'echo "brewing $1"\n',
    "skills/tea/scripts/wait.sh": "exec sleep 60.4171\n",
  },
  scripts: { runner: "subprocess" },
};
const BREW = { skill: "tea", script: "scripts/brew.sh", args: ["green"] };
const run = (client: Client, input: object = BREW) =>
  client.callTool({ name: "run_skill_script", arguments: { ...input } });
const textOf = ({ content }: { content: unknown }) => (content as { text?: string }[])[0]?.text ?? "";

test.each([
  ["once", "brewing green", 2],
  ["always", "brewing green", 1],
  ["deny", "The scripts of skill 'tea' may not run: the user refused.", 2],
])("a script asks the person through the editor: %s", async (optionId, text, questions) => {
  const { client, editor, agent } = await startSession(SCRIPTS);
  agent.write(
    updateOf({ sessionUpdate: "tool_call", toolCallId: "c7", title: "skillset_run_skill_script", rawInput: BREW }),
  );
  await editor.next();
  for (let index = 0; index < 2; index += 1) {
    const running = run(client);
    if (index < questions) {
      const asked = await editor.next(({ method }) => method === "session/request_permission");
      expect(asked.params).toMatchObject({
        sessionId: "s1",
        toolCall: {
          toolCallId: "c7",
          title: "Run scripts/brew.sh of skill 'tea' without a sandbox",
          kind: "execute",
          rawInput: { args: ["green"] },
        },
      });
      editor.write({ jsonrpc: "2.0", id: asked.id, result: { outcome: { outcome: "selected", optionId } } });
    }
    expect(textOf(await running)).toContain(text);
  }
  // The answers to our questions are not for the agent.
  expect(agent.lines.filter((line) => line.includes("outcome"))).toEqual([]);
});

test("scripts of allowed skills run without a question", async () => {
  const { client } = await startSession({ ...SCRIPTS, allowScripts: ["tea"] });
  expect(textOf(await run(client))).toContain("brewing green");
});

test("a script does not run if the editor cannot ask", async () => {
  const { client, editor } = await startSession(SCRIPTS);
  const running = run(client);
  const asked = await editor.next(({ method }) => method === "session/request_permission");
  editor.write({ jsonrpc: "2.0", id: asked.id, error: { code: -32_601, message: "Method not found" } });
  expect(textOf(await running)).toContain("the editor did not answer the question");
});

test("without a runner there are no scripts to run", async () => {
  const { client } = await startSession({ files: SCRIPTS.files ?? {} });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("run_skill_script");
});

test.each([
  ["name", SCRIPTS],
  ["do not name", { files: SCRIPTS.files ?? {} }],
])("the rules before the first prompt %s the tool for scripts", async (_rules, options: HarnessOptions) => {
  const { initialize, open, prompt } = startProxy(options);
  await initialize();
  await connect((await open()).servers);
  const [own] = await prompt("Make tea");
  expect(own?.text.includes("`run_skill_script`")).toBe(options.scripts !== undefined);
});

test("cancelling ends a question about a script, and a late answer goes nowhere", async () => {
  const { client, editor, agent } = await startSession(SCRIPTS);
  const running = run(client).catch(() => undefined);
  const asked = await editor.next(({ method }) => method === "session/request_permission");
  editor.write({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } });
  await agent.next(({ method }) => method === "session/cancel");
  await running;
  editor.write({ jsonrpc: "2.0", id: asked.id, result: { outcome: { outcome: "selected", optionId: "once" } } });
  editor.write({ jsonrpc: "2.0", method: "after" });
  await agent.next(({ method }) => method === "after");
  expect(agent.lines.filter((line) => line.includes("outcome"))).toEqual([]);
});

test("a call that is cancelled before its question asks nothing", async () => {
  const { client, proxy, editor, agent } = await startSession(SCRIPTS);
  const session = proxy.sessions.find("s1");
  const scripts = session && scriptHostsOf(session.skills.skillset)[0];
  if (session === undefined || scripts === undefined) throw new Error("The session has no scripts.");
  vi.spyOn(scripts, "run").mockImplementation(async ({ refusal }) => {
    session.endTurn();
    throw new Error(await refusal("digest"));
  });
  await run(client).catch(() => undefined);
  agent.write({ jsonrpc: "2.0", method: "after" });
  await editor.next(({ method }) => method === "after");
  expect(scripts.run).toHaveBeenCalledOnce();
  expect(editor.lines.filter((line) => line.includes("request_permission"))).toEqual([]);
});

test("a prompt and its cancellation stay in order, and the prompt does not wait for the tools any more", async () => {
  const { initialize, open, editor, agent } = startProxy({ bridgeTimeout: 60_000 });
  await initialize();
  await open();
  const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "Wait" }] };
  editor.write({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt });
  editor.write({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } });
  expect(await agent.next()).toMatchObject({ method: "session/prompt", params: prompt });
  expect(await agent.next()).toMatchObject({ method: "session/cancel" });
});

test("the cancellation of a request stays behind the request", async () => {
  const { initialize, open, editor, agent } = startProxy();
  await initialize();
  await open();
  const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "Wait" }] };
  editor.write({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt });
  editor.write({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
  expect(await agent.next()).toMatchObject({ method: "session/prompt" });
  expect(await agent.next()).toMatchObject({ method: "$/cancel_request" });
});

test("a session that is being prepared does not delay another one", async () => {
  const slow = Promise.withResolvers<void>();
  let count = 0;
  const beforeLoad = async (): Promise<void> => {
    count += 1;
    if (count === 1) await slow.promise;
  };
  const { initialize, editor, agent, cwd } = startProxy({ beforeLoad, files: { "b/skills/x/SKILL.md": skillMd("x") } });
  await initialize();
  const open = (id: number, folder: string): void =>
    editor.write({ jsonrpc: "2.0", id, method: "session/new", params: { cwd: folder, mcpServers: [] } });
  open(1, cwd);
  open(2, `${cwd}/b`);
  editor.write({ jsonrpc: "2.0", id: 3, method: "session/list", params: {} });
  expect((await agent.next(({ method }) => method === "session/list")).id).toBe(3);
  expect((await agent.next(({ method }) => method === "session/new")).id).toBe(2);
  slow.resolve();
  expect((await agent.next(({ method }) => method === "session/new")).id).toBe(1);
});

test("a session whose skills are loaded after the editor has left gets no server", async () => {
  const slow = Promise.withResolvers<void>();
  const loading = Promise.withResolvers<void>();
  const beforeLoad = (): Promise<void> => {
    loading.resolve();
    return slow.promise;
  };
  const { initialize, editor, agent, cwd, proxy } = startProxy({ beforeLoad });
  await initialize();
  editor.write({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd, mcpServers: [] } });
  await loading.promise;
  await proxy.close();
  slow.resolve();
  expect(await agent.next(({ id }) => id === 1)).toMatchObject({ params: { mcpServers: [] } });
});

test("two sessions have their own servers, catalogs and turns", async () => {
  const { initialize, open, prompt } = startProxy();
  await initialize();
  const [first, second] = [await open("s1"), await open("s2")];
  expect(first.servers[0]?.url).not.toBe(second.servers[0]?.url);
  await connect(first.servers);
  await connect(second.servers);
  expect(await prompt("Hello", "s1")).toHaveLength(2);
  expect(await prompt("Hello", "s2")).toHaveLength(2);
  expect(await prompt("And?", "s1")).toHaveLength(1);
});

test("sessions in one folder share a server if the agent cannot keep servers apart, and calls belong to the caller", async () => {
  const { initialize, open, prompt, agent, editor, request } = startProxy({ agentName: "OpenCode" });
  await initialize();
  const [first, second] = [await open("s1"), await open("s2")];
  expect(second.servers).toEqual(first.servers);
  const client = await connect(first.servers);
  await prompt("Hello", "s1");
  await prompt("Hello", "s2");
  agent.write(updateOf({ sessionUpdate: "tool_call", ...OURS }));
  await editor.next(({ params }) => JSON.stringify(params).includes("tool_call"));
  await client.callTool({ name: "activate_skill", arguments: { name: "charts" } });
  expect(JSON.stringify(await prompt("And?", "s1"))).toContain("charts");
  expect(await prompt("And?", "s2")).toHaveLength(1);
  await request("session/close", { sessionId: "s1" }, {});
  expect((await client.listTools()).tools).not.toEqual([]);
});

test.each(["closed", "refused"])("after a session is %s, the shared server serves the other one again", async (how) => {
  const { initialize, open, agent, editor, request, cwd } = startProxy({ agentName: "OpenCode" });
  await initialize();
  const client = await connect((await open("s1")).servers);
  if (how === "closed") {
    await open("s2");
    await request("session/close", { sessionId: "s2" }, {});
  } else {
    editor.write({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd, mcpServers: [] } });
    await agent.next(({ id }) => id === 1);
    agent.write({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "Authentication required" } });
    await editor.next(({ id }) => id === 1);
  }
  agent.write(updateOf({ sessionUpdate: "tool_call", ...OURS }));
  await editor.next(({ params }) => JSON.stringify(params).includes("tool_call"));
  const { content, isError } = await client.callTool({ name: "activate_skill", arguments: { name: "charts" } });
  expect([isError ?? false, JSON.stringify(content)]).toEqual([false, expect.stringContaining("Label both axes")]);
});

test("when the agent has failed, every open request of the editor gets an error", async () => {
  const { editor, agent, proxy } = startProxy();
  editor.write({ jsonrpc: "2.0", id: 1, method: "authenticate" });
  editor.write({ jsonrpc: "2.0", id: "1", method: "session/list" });
  editor.write({ jsonrpc: "2.0", id: 2, method: "logout" });
  await agent.next(({ id }) => id === 2);
  agent.write({ jsonrpc: "2.0", id: 2, result: {} });
  await editor.next(({ id }) => id === 2);
  await proxy.fail("The agent exited.");
  const error = { code: -32_603, message: "The agent exited." };
  expect([await editor.next(), await editor.next()]).toEqual([
    { jsonrpc: "2.0", id: 1, error },
    { jsonrpc: "2.0", id: "1", error },
  ]);
});

test("ending the proxy ends a running script", async () => {
  const { client, proxy } = await startSession({ ...SCRIPTS, allowScripts: ["tea"] });
  const running = run(client, { skill: "tea", script: "scripts/wait.sh" }).catch(() => undefined);
  await vi.waitFor(() => expect(processesWith("sleep 60.4171")).not.toEqual([]), { timeout: 5_000 });
  await proxy.close();
  await running;
  await vi.waitFor(() => expect(processesWith("sleep 60.4171")).toEqual([]), { timeout: 5_000 });
});
