import { createServer } from "node:net";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer } from "../server/skills-server.ts";
import { type ServeHttpOptions, serveHttp } from "./serve-http.ts";

const TOKEN = "a-token-of-a-good-length";

async function listen(
  options: Omit<ServeHttpOptions, "oauth"> = {},
  handler: (input: unknown, signal: AbortSignal) => unknown = echo,
) {
  const tools = [
    {
      name: "run",
      description: "Runs",
      handler: (input: unknown, context: { signal: AbortSignal }) => handler(input, context.signal),
    },
  ];
  const skills = await createSkillset([defineSkill({ name: "box", description: "Has a tool.", body: "# Box", tools })]);
  const server = createSkillsServer(skills);
  const listener = await serveHttp(server, options);
  onTestFinished(async () => {
    await listener.close();
    await server.close();
  });
  return { server, ...listener };
}

const echo = (input: unknown): unknown => input;

async function connectTo(url: string, token: string, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

function callOf(input: unknown): string {
  const params = { name: "call_skill_tool", arguments: { skill: "box", tool: "run", input } };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

function post(url: string, token: string, { body = callOf(1), ...init }: RequestInit = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(init.headers as Record<string, string>),
  };
  return fetch(url, { method: "POST", body, ...init, headers });
}

describe.each(["legacy", "auto"] as const)("a client that negotiates '%s'", (mode) => {
  test("is served over HTTP", async () => {
    const { url, token } = await listen();
    const client = await connectTo(url, token, { versionNegotiation: { mode } });
    expect((await client.listTools()).tools).toHaveLength(3);
    const called = await client.callTool({
      name: "call_skill_tool",
      arguments: { skill: "box", tool: "run", input: { deep: ["é", 1] } },
    });
    expect(called.structuredContent).toEqual({ skill: "box", tool: "run", result: { deep: ["é", 1] } });
  });
});

test("a listening client is notified of an update", async () => {
  const { url, token, server } = await listen();
  const onChanged = vi.fn();
  await connectTo(url, token, { versionNegotiation: { mode: "auto" }, listChanged: { prompts: { onChanged } } });
  await server.update(await createSkillset([defineSkill({ name: "fresh", description: "New.", body: "# Fresh" })]));
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalled(), { timeout: 10_000 });
  expect(onChanged.mock.lastCall?.[1]).toMatchObject([{ name: "fresh" }]);
});

describe("the listener", () => {
  test("uses loopback, a free port and a random token by default", async () => {
    const [one, two] = [await listen(), await listen()];
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(one.url).not.toBe(two.url);
    expect(one.token).toMatch(/^[\w-]{43}$/);
    expect(one.token).not.toBe(two.token);
  });

  test("accepts a given token, but not a short one", async () => {
    const { url, token } = await listen({ token: TOKEN });
    expect(token).toBe(TOKEN);
    expect((await post(url, TOKEN)).status).toBe(200);
    expect((await post(url, `${TOKEN}x`)).status).toBe(401);
    await expect(listen({ token: "short" })).rejects.toMatchObject({ code: "option-invalid" });
  });

  test("reports that its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    await expect(listen({ port })).rejects.toMatchObject({
      code: "option-invalid",
      message: `Cannot listen on 127.0.0.1:${port}: the port is already in use; choose another port, or 0 for a free one.`,
    });
  });

  test("requires allowed host names if other machines can reach it", async () => {
    await expect(listen({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "option-invalid" });
    await expect(listen({ host: "::" })).rejects.toMatchObject({ code: "option-invalid" });
  });

  test("closes with open connections", async () => {
    const { url, token, close } = await listen({}, () => new Promise(() => {}));
    const hanging = post(url, token).then(
      (response) => response.text(),
      () => "ended",
    );
    await post(url, token, { method: "GET", body: null });
    await close();
    expect(await hanging).not.toContain("result");
    await expect(post(url, token)).rejects.toThrow();
  });
});

describe("a request", () => {
  test.each([
    ["with another token", { headers: { authorization: "Bearer nonsense" } }, 401],
    ["without a token", { headers: { authorization: "" } }, 401],
    ["from a page of another site", { headers: { origin: "https://evil.example" } }, 403],
    ["from a page without an origin", { headers: { origin: "null" } }, 403],
    ["that is not JSON", { body: "{" }, 400],
    ["of another type", { headers: { "content-type": "text/plain" } }, 415],
    ["by GET", { method: "GET", body: null }, 405],
  ] as const)("%s is rejected", async (_, init, status) => {
    const { url, token } = await listen();
    const response = await post(url, token, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  test("without the right token gets a WWW-Authenticate header", async () => {
    const { url } = await listen();
    expect((await post(url, "wrong")).headers.get("www-authenticate")).toBe("Bearer");
  });

  test("to a path other than /mcp gets a 404", async () => {
    const { url, token } = await listen();
    for (const path of ["/", "/mcp/", "/MCP", "/other"]) {
      expect((await post(new URL(path, url).href, token)).status).toBe(404);
    }
  });

  test("from a page of an allowed site is answered", async () => {
    const { url, token } = await listen({ allowedOrigins: ["app.example"] });
    expect((await post(url, token, { headers: { origin: "https://app.example" } })).status).toBe(200);
    expect((await post(url, token, { headers: { origin: "http://localhost" } })).status).toBe(403);
  });

  test("that a client aborts is cancelled, and the next one is answered", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const { url, token } = await listen({}, (input, signal) => {
      if (input === "next") return input;
      started.resolve(signal);
      return new Promise(() => {});
    });
    const client = await connectTo(url, token, { versionNegotiation: { mode: "auto" } });
    const call = (input: string, options = {}) =>
      client.callTool({ name: "call_skill_tool", arguments: { skill: "box", tool: "run", input } }, options);
    const controller = new AbortController();
    const given = call("wait", { signal: controller.signal });
    const signal = await started.promise;
    expect(signal.aborted).toBe(false);
    controller.abort();
    await expect(given).rejects.toThrow();
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 10_000 });
    expect((await call("next")).content).toEqual([{ type: "text", text: "next" }]);
  });

  test("whose connection breaks is cancelled", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const { url, token } = await listen({}, (_, signal) => {
      started.resolve(signal);
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const call = post(url, token, { signal: controller.signal }).then((response) => response.text());
    const signal = await started.promise;
    expect(signal.aborted).toBe(false);
    controller.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 10_000 });
  });
});
