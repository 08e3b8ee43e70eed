import { afterEach, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatPage } from "../../shared/api.ts";
import { emptyDatabase, openChat, type TestChat, TOKEN } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = { ".skills/notes/SKILL.md": skillMd("notes") };
const SAFE = ["GET", "HEAD"];

/** Lists all routes, so that new ones are tested too. */
function routesOf(chat: TestChat, id: string): readonly { method: string; path: string }[] {
  const found = chat.app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => ({
      method,
      path: path.replace(":id", id).replace(":name", "notes").replace("/*", "/some-page"),
    }));
  const keyed = new Map(found.map((route) => [`${route.method} ${route.path}`, route]));
  expect([...keyed.keys()]).toEqual(
    expect.arrayContaining([
      "POST /api/chats",
      `POST /api/chats/${id}/turn`,
      "POST /api/skills/rescan",
      "GET /metrics",
    ]),
  );
  return [...keyed.values()];
}

const send = (chat: TestChat, method: string, path: string, headers: Record<string, string>, body?: string) =>
  chat.app.request(path, { method, headers, body: SAFE.includes(method) ? undefined : body });

/** The state that a request could have changed. */
async function stateOf(chat: TestChat) {
  const { chats } = await chat.get<ChatPage>("/api/chats");
  const loaded = await Promise.all(chats.map(({ id }) => chat.load(id)));
  const { rows } = await chat.get<{ rows: { state: string }[] }>("/api/skills");
  return { loaded, states: rows.map(({ state }) => state) };
}

describe("S16: every route", () => {
  test("refuses an unknown host name", async () => {
    const chat = await openChat({ files: FILES });
    for (const { method, path } of routesOf(chat, await chat.create())) {
      const response = await send(chat, method, path, { host: "evil.example", "content-type": "application/json" });
      expect([`${method} ${path}`, response.status]).toEqual([`${method} ${path}`, 421]);
    }
  });

  test("refuses pages of other sites, even with the admin token", async () => {
    const chat = await openChat({ files: FILES });
    const id = await chat.create();
    const before = await stateOf(chat);
    for (const { method, path } of routesOf(chat, id)) {
      for (const origin of ["https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example"]) {
        const headers = { origin, host: "localhost:4173", authorization: `Bearer ${TOKEN}` };
        const response = await send(chat, method, path, { ...headers, "content-type": "application/json" }, "{}");
        expect([`${method} ${path} ${origin}`, response.status]).toEqual([`${method} ${path} ${origin}`, 403]);
        expect(response.headers.get("access-control-allow-origin")).toBeNull();
      }
    }
    expect(await stateOf(chat)).toEqual(before);
  });

  test("that changes data refuses everything that a form can send", async () => {
    const chat = await openChat({ files: FILES });
    const id = await chat.create();
    const before = await stateOf(chat);
    const changing = routesOf(chat, id).filter(({ method }) => !SAFE.includes(method));
    expect(changing.length).toBeGreaterThanOrEqual(8);
    const types = ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
    for (const { method, path } of changing) {
      for (const type of [...types, "text/plain; application/json", "application/jsonp"]) {
        // Browsers add the password of a proxy automatically.
        const headers = { authorization: "Basic YTpi", ...(type !== "" && { "content-type": type }) };
        const response = await send(chat, method, path, headers, '{"title":"x"}');
        expect([`${method} ${path} ${type}`, response.status]).toEqual([`${method} ${path} ${type}`, 415]);
      }
    }
    expect(await stateOf(chat)).toEqual(before);
  });

  test("refuses preflights of other sites and sets no cookie", async () => {
    const chat = await openChat({ files: FILES });
    for (const { method, path } of routesOf(chat, await chat.create())) {
      const preflight = { origin: "https://evil.example", host: "localhost", "access-control-request-method": method };
      const { status, headers } = await send(chat, "OPTIONS", path, preflight);
      expect(status).toBe(403);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      if (path === "/api/events") continue;
      const response = await send(chat, method, path, { "content-type": "application/json" }, "{}");
      expect(response.headers.get("set-cookie")).toBeNull();
    }
  });
});

describe("admin actions", () => {
  test("are logged with time, client and action, and so is a wrong token; tokens are never logged", async () => {
    const chat = await openChat({ files: FILES, config: `${SKILLS}\n[server]\ntrusted_proxies = ["192.0.2.1"]` });
    const through = async (path: string, method: string, token: string, body?: unknown) =>
      chat.app.request(
        path,
        {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            "x-forwarded-for": "198.51.100.7",
          },
          body: JSON.stringify(body),
        },
        { incoming: { socket: { remoteAddress: "192.0.2.1" } } },
      );
    const wrong = `${TOKEN}-wrong`;
    expect((await through("/api/skills/rescan", "POST", wrong)).status).toBe(401);
    expect((await through("/api/skills/rescan", "POST", TOKEN)).status).toBe(200);
    expect((await through("/api/skills/notes/switch", "PUT", TOKEN, { isEnabled: false })).status).toBe(204);
    expect((await through("/api/skills/nothing/switch", "PUT", TOKEN, { isEnabled: false })).status).toBe(404);
    const lines = chat.log.filter(({ event }) => event.startsWith("admin-"));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const client = "198.51.100.7";
    expect(lines).toEqual([
      { time, level: "warn", event: "admin-refused", client },
      { time, level: "info", event: "admin-action", action: "rescan", client },
      { time, level: "info", event: "admin-action", action: "switch", client, skill: "notes", isEnabled: false },
    ]);
    expect(JSON.stringify(chat.log)).not.toContain(TOKEN);
  });
});

const SKILLS = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]`;

test("the log contains no chat content", async () => {
  const chat = await openChat({ files: FILES, script: [{ say: "The answer is tangerine." }, { fail: FAILURE }] });
  const id = await chat.create();
  await chat.say(id, "My secret word is pomegranate.");
  await chat.say(id, "And another is persimmon.");
  await chat.call("PATCH", `/api/chats/${id}`, { title: "About kumquat" });
  await chat.get("/api/chats?query=pomegranate");
  await chat.call("PATCH", `/api/chats/${id}`, { title: 7 });
  expect(chat.log.map(({ event }) => event)).toEqual(expect.arrayContaining(["answer", "model-failed"]));
  expect(JSON.stringify(chat.log)).not.toMatch(/pomegranate|tangerine|persimmon|kumquat/);
  expect(await (await chat.call("GET", "/metrics")).text()).not.toMatch(/pomegranate|tangerine|persimmon|kumquat/);
});

const FAILURE = { status: 400, message: "You said: My secret word is pomegranate." };
