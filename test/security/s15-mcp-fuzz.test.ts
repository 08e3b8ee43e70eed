import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import { createSkillsServer } from "../../packages/skillset/src/mcp/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const CASES = Math.min(10_000, Number(process.env.CASES ?? 1_000));
/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 20_000;

const SKILLS = ["pdf", "box", "hidden"] as const;
const TOOLS = ["echo", "typed", "fails", "counts"] as const;
const OPERATIONS = ["activate_skill", "read_skill_file", "call_skill_tool"] as const;
const PATHS = ["SKILL.md", "references/a.md", "logo.png", "out", "references", "../secret.txt", "/etc/passwd", ""];
const ODD = ["__proto__", "constructor", "prototype", "toString", "\0", "\n", "\ud83d", "\u202e", "."];
const METHODS = ["tools/list", "prompts/list", "prompts/get", "resources/read", "skills/get", "skills/list", "ping"];

const text = fc.oneof(
  fc.constantFrom(...SKILLS, ...TOOLS, ...PATHS, ...ODD),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc
    .tuple(fc.constantFrom(...ODD, "x", "../", "a/", "😀"), fc.constantFrom(79, 700, 5_000))
    .map(([part, times]) => part.repeat(times)),
);
const json = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>);
/** Almost valid arguments: the real fields, half of them with real values. */
const nearly = fc.record(
  {
    name: fc.oneof(fc.constantFrom(...SKILLS), json),
    skill: fc.oneof(fc.constantFrom(...SKILLS), json),
    path: fc.oneof(fc.constantFrom(...PATHS), json),
    tool: fc.oneof(fc.constantFrom(...TOOLS), json),
    input: fc.oneof(json, fc.record({ count: json, text: json }, { requiredKeys: [] })),
    extra: json,
  },
  { requiredKeys: [] },
);
const address = text.map((path) => `skill://pdf/${path}`);
const toolCall = fc.record({
  method: fc.constant("tools/call"),
  params: fc.record({
    name: fc.oneof({ arbitrary: fc.constantFrom(...OPERATIONS), weight: 6 }, { arbitrary: json, weight: 1 }),
    arguments: fc.oneof({ arbitrary: nearly, weight: 6 }, { arbitrary: json, weight: 1 }),
  }),
});
/** Parameters that are not an object do not make a message: the SDK does not answer them. */
const otherCall = fc.record({
  method: fc.oneof(fc.constantFrom(...METHODS), text),
  params: fc.oneof(
    fc.record({ name: json, uri: fc.oneof(json, address), cursor: json, arguments: json }, { requiredKeys: [] }),
    fc.dictionary(text, json),
  ),
});
const anyRequest = fc.oneof({ arbitrary: toolCall, weight: 9 }, { arbitrary: otherCall, weight: 1 });

interface Reply {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly isError?: boolean;
    readonly content?: readonly { readonly type: string; readonly text: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

async function serve() {
  const root = temporaryFolder({
    "secret.txt": "top secret",
    "skills/pdf/SKILL.md": skillMd("pdf"),
    "skills/pdf/references/a.md": "A",
    "skills/pdf/logo.png": new Uint8Array([137, 80, 78, 71, 0, 1]),
    "skills/hidden/SKILL.md": skillMd("hidden").replace("---\n\n", "disable-model-invocation: true\n---\n\n"),
  });
  symlinkSync(join(root, "secret.txt"), join(root, "skills/pdf/out"));
  let calls = 0;
  const typed = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
  const box = defineSkill({
    name: "box",
    description: "Has tools.",
    body: "# box",
    tools: [
      { name: "echo", description: "Returns its input.", handler: (input) => input },
      { name: "typed", description: "Wants a count.", inputSchema: typed, handler: ({ count }) => count },
      {
        name: "fails",
        description: "Fails.",
        handler: () => {
          throw new Error(`cannot open ${root}/secret.txt`);
        },
      },
      { name: "counts", description: "Counts its calls.", handler: () => ++calls },
    ],
  });
  const skills = await createSkillset([join(root, "skills"), box]);
  const server = createSkillsServer(skills, { limits: { toolTimeout: DEADLINE } });
  onTestFinished(() => server.close());
  return { root, server };
}

/** A client that sends any message unchanged. */
async function connectRaw(server: Awaited<ReturnType<typeof serve>>["server"]) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const waiting = new Map<number, (reply: Reply) => void>();
  near.onmessage = (message) => {
    const reply = message as unknown as Reply;
    waiting.get(reply.id)?.(JSON.parse(JSON.stringify(reply)) as Reply);
  };
  await near.start();
  let id = 0;
  const ask = async (method: string, params: unknown): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(++id, resolve);
    const request = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await near.send(JSON.parse(request) as JSONRPCMessage);
    const reply = await Promise.race([promise, sleep(DEADLINE, undefined, { ref: false })]);
    if (reply === undefined) throw new Error(`no reply to ${request.slice(0, 500)}`);
    waiting.delete(id);
    return reply;
  };
  const clientInfo = { name: "fuzz", version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await near.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return ask;
}

test("any request of a client gets a valid result or error", { timeout: 600_000 }, async () => {
  const { root, server } = await serve();
  const ask = await connectRaw(server);
  const seen = { results: 0, errorResults: 0, errors: 0 };
  let through = 0;
  const good = { name: "call_skill_tool", arguments: { skill: "box", tool: "echo", input: "good" } };
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ method, params }) => {
      through++;
      const reply = await ask(method, params);
      expectClean(reply, root);
      expect((await ask("tools/call", good)).result?.content).toEqual([{ type: "text", text: "good" }]);
      through--;
      if (reply.error !== undefined) seen.errors++;
      else seen[reply.result?.isError ? "errorResults" : "results"]++;
    }),
    { numRuns: CASES, endOnFailure: true },
  );
  const { results, errorResults, errors } = seen;
  const note = `${results} results, ${errorResults} error results, ${errors} errors`;
  report("S15", { tried: "fuzzed MCP requests", cases: CASES, through, note });
  expect(results).toBeGreaterThan(CASES / 50);
  expect(errorResults).toBeGreaterThan(CASES / 4);
  expect(errors).toBeGreaterThan(CASES / 50);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

function expectClean({ result, error }: Reply, root: string): void {
  expect([result === undefined, error === undefined]).toContainEqual(true);
  expect(result ?? error).toBeDefined();
  const written = JSON.stringify(result ?? error);
  expect(written.includes(root)).toBe(false);
  expect(written.includes("top secret")).toBe(false);
  if (error !== undefined) {
    expect(error.code).toBeLessThan(-31_999);
    expectCleanText(error.message);
  } else if (result?.isError) {
    expect(result.content).toHaveLength(1);
    expectCleanText(result.content?.[0]?.text ?? "");
    expect(result.content?.[0]?.text).not.toMatch(/[\r\n]/);
    expect(result.content?.[0]?.text.length).toBeLessThanOrEqual(500);
  }
}

function expectCleanText(text: string): void {
  expect(text).not.toBe("");
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node:internal|node_modules/);
}

test.each([`${"x".repeat(79)}😀`, "a\nb\u0000", "/home/me/private/tool"])(
  "the name of an unknown tool or prompt is returned as one line of whole characters: %j",
  async (name) => {
    const ask = await connectRaw((await serve()).server);
    for (const method of ["tools/call", "prompts/get"]) {
      const { error } = await ask(method, { name });
      expect(error?.code).toBe(-32602);
      expect(error?.message.isWellFormed()).toBe(true);
      expect(error?.message).not.toMatch(/[\r\n]|private/);
    }
  },
);

describe.each(["legacy", "auto"] as const)("when a client that negotiates '%s' cancels", (mode) => {
  test("the handler's signal is aborted, and the next call works", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const tools = [
      {
        name: "wait",
        description: "Waits.",
        handler: (_: unknown, { signal }: { signal: AbortSignal }) => {
          started.resolve(signal);
          return new Promise(() => {});
        },
      },
      { name: "echo", description: "Returns its input.", handler: (input: unknown) => input },
    ];
    const skills = await createSkillset([
      defineSkill({ name: "box", description: "Has tools.", body: "# Box", tools }),
    ]);
    const server = createSkillsServer(skills);
    onTestFinished(() => server.close());
    const [near, far] = InMemoryTransport.createLinkedPair();
    const { session } = await server.connect(far);
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(near);
    const controller = new AbortController();
    const request = { name: "call_skill_tool", arguments: { skill: "box", tool: "wait", input: {} } };
    const call = client.callTool(request, { signal: controller.signal });
    const signal = await started.promise;
    expect(signal.aborted).toBe(false);
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: DEADLINE });
    const echoed = { name: "call_skill_tool", arguments: { skill: "box", tool: "echo", input: 7 } };
    expect((await client.callTool(echoed)).content).toEqual([{ type: "text", text: "7" }]);
    const outcomes = session.ledger.entries.flatMap((entry) => (entry.type === "tool-called" ? [entry.outcome] : []));
    expect(outcomes).toEqual(["failed", "succeeded"]);
  });
});
