import { afterEach, describe, expect, test } from "vitest";
import { writeFiles } from "../../../test/temporary-folder.ts";
import type { AppState } from "../shared/api.ts";
import { emptyDatabase, openChat, TOKEN } from "./testing/open-chat.ts";

afterEach(emptyDatabase);

describe("S16: access", () => {
  test.each([
    ["evil.example", 421],
    ["127.0.0.1.evil.example", 421],
    ["localhost:4173", 200],
    ["127.0.0.1:9", 200],
    ["[::1]:4173", 200],
    ["chat.example", 200],
  ])("the host %s gets %i", async (host, status) => {
    const chat = await openChat({ config: '[server]\nallowed_hosts = ["chat.example"]' });
    expect((await chat.call("GET", "/api/state", undefined, { host })).status).toBe(status);
    expect((await chat.call("GET", "/healthz", undefined, { host })).status).toBe(status);
  });

  test.each([
    ["192.168.1.2", "192.168.1.2:4173", 200],
    ["192.168.1.2", "192.168.1.3:4173", 421],
    ["fd00::2", "[fd00::2]:4173", 200],
    ["fd00::2", "[fd00::3]:4173", 421],
  ])("a server on %s is called by that address: %s gets %i", async (own, host, status) => {
    const chat = await openChat({ config: `[server]\nhost = "${own}"` });
    expect((await chat.call("GET", "/api/state", undefined, { host })).status).toBe(status);
  });

  test.each([
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:1" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ origin: "http://localhost:4173" }, 201],
    [{}, 201],
  ])("a request with %j gets %i", async (headers, status) => {
    const chat = await openChat();
    expect((await chat.call("POST", "/api/chats", undefined, { host: "localhost:4173", ...headers })).status).toBe(
      status,
    );
  });

  test.each([
    ["/api/skills", "cross-site", 403],
    ["/api/skills", "same-site", 403],
    ["/api/skills", "same-origin", 200],
    ["/api/skills", "none", 200],
    ["/healthz", "cross-site", 200],
  ])("a GET of %s that a browser marks as %s, as it does for an image, gets %i", async (path, site, status) => {
    const chat = await openChat();
    expect((await chat.call("GET", path, undefined, { "sec-fetch-site": site })).status).toBe(status);
  });

  test("forms and plain text, which pages of other sites can send, are refused as bodies", async () => {
    const chat = await openChat();
    const id = await chat.create();
    const response = await chat.app.request(`/api/chats/${id}`, { method: "PATCH", body: '{"title":"x"}' });
    expect(response.status).toBe(415);
    // A form without fields has no body that a route could refuse.
    expect((await chat.app.request("/api/chats", { method: "POST" })).status).toBe(415);
  });

  test("a body over one MiB is refused", async () => {
    const chat = await openChat();
    const id = await chat.create();
    const response = await chat.call("PATCH", `/api/chats/${id}`, { title: "x".repeat(1024 * 1024) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      error: { code: "body-too-large", message: "The body must not exceed 1 MiB." },
    });
  });
});

test("S16: every response, including errors, forbids scripts and images from other origins", async () => {
  const chat = await openChat();
  for (const path of ["/", "/api/state", "/api/nothing", "/healthz"]) {
    const { headers } = await chat.call("GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("img-src 'self' data:;");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-dns-prefetch-control")).toBe("off");
  }
});

test("the token makes a client an admin", async () => {
  const chat = await openChat();
  const state = (authorization: string) => chat.get<AppState>("/api/state", { authorization });
  expect(await state(`Bearer ${TOKEN}`)).toMatchObject({ isAdmin: true, hasSkills: true });
  for (const wrong of ["", "Bearer", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, TOKEN]) {
    expect((await state(wrong)).isAdmin).toBe(false);
  }
});

test("the page is served for all its paths; until it is built, a placeholder explains how to build it", async () => {
  const chat = await openChat();
  const missing = await chat.call("GET", "/");
  expect(missing.status).toBe(503);
  expect(await missing.text()).toContain("npm run build");
  writeFiles(chat.project, { "dist/index.html": "<title>Chat</title>", "dist/assets/a.js": "1", "secret.txt": "no" });
  expect(await (await chat.call("GET", "/")).text()).toBe("<title>Chat</title>");
  expect(await (await chat.call("GET", "/chats/some-chat")).text()).toBe("<title>Chat</title>");
  const asset = await chat.call("GET", "/assets/a.js");
  expect(asset.headers.get("content-type")).toContain("javascript");
  expect(asset.headers.get("cache-control")).toContain("immutable");
  expect((await chat.call("GET", "/assets/b.js")).status).toBe(404);
  expect(await (await chat.call("GET", "/..%2fsecret.txt")).text()).not.toBe("no");
});

test("operators can check liveness, readiness and metrics", async () => {
  const chat = await openChat({ script: [{ say: "Hi." }] });
  const id = await chat.create();
  await chat.say(id, "Hello");
  expect(await (await chat.call("GET", "/healthz")).text()).toBe("ok\n");
  expect(await (await chat.call("GET", "/readyz")).text()).toBe("ready\n");
  const figures = await (await chat.call("GET", "/metrics")).text();
  expect(figures).toContain('chat_answers_total{outcome="done"} 1');
  expect(figures).toContain("# TYPE chat_answers_running gauge\nchat_answers_running 0");
  expect(figures).toMatch(/chat_http_requests_total\{method="POST",status="201"\} 1/);
});

test("open pages receive changes", async () => {
  const chat = await openChat();
  const { body, headers } = await chat.call("GET", "/api/events");
  expect(headers.get("content-type")).toContain("text/event-stream");
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(": open\n\n");
  await chat.create();
  expect((await reader.read()).value).toContain('data: {"type":"chats-changed"}');
  await reader.cancel();
  await expect.poll(() => chat.services.events.listeners).toBe(0);
});

test("an unknown address returns an error in JSON", async () => {
  const chat = await openChat();
  const response = await chat.call("GET", "/api/nothing");
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: { code: "not-found", message: "Address not found." } });
});
