import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import {
  type ConnectHttpOptions,
  connectHttp,
  createSkillsServer,
  importSkills,
  requireOAuth,
  serveHttp,
  toNodeHandler,
} from "../../packages/skillset/src/mcp/index.ts";
import { type AuthorizationServer, DESKTOP, startAuthorizationServer } from "./authorization-server.ts";
import { createMemoryLogin } from "./memory-login.ts";

let authority: AuthorizationServer;
beforeAll(async () => {
  authority = await startAuthorizationServer();
});
afterAll(() => authority.close());

async function listen() {
  const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep for 3 minutes." });
  const server = createSkillsServer(await createSkillset([tea]));
  const options = { issuers: [authority.issuer], scopes: ["skills:read"] };
  const listener = await serveHttp(server, { oauth: options });
  onTestFinished(async () => {
    await listener.close();
    await server.close();
  });
  return listener;
}

async function connect(url: string, options: ConnectHttpOptions) {
  const client = await connectHttp(url, options);
  onTestFinished(() => client.close());
  return client;
}

const person = () => createMemoryLogin(authority.visit);
const importFrom = (client: Awaited<ReturnType<typeof connect>>) =>
  importSkills(client, { server: "acme", approve: () => true });
const withToken = (token: string): ConnectHttpOptions => ({ authProvider: { token: async () => token } });

describe("a program that imports skills", () => {
  test("registers itself, sends the person to log in with PKCE, and continues", async () => {
    const { url } = await listen();
    const { provider, login, visited } = person();
    const remote = await importFrom(await connect(url, { authProvider: provider, login }));
    const session = await (await createSkillset([remote])).session();
    expect((await session.activate("acme:tea")).text).toContain("Steep for 3 minutes.");
    const [asked] = visited;
    expect(visited).toHaveLength(1);
    expect(asked?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(asked?.searchParams.get("resource")).toBe(url);
    expect(asked?.searchParams.get("scope")).toContain("skills:read");
  });

  test("refreshes a token that is no longer accepted, without the person", async () => {
    const { url } = await listen();
    const memory = person();
    const remote = await importFrom(await connect(url, { authProvider: memory.provider, login: memory.login }));
    const refreshed = authority.grants.get("refresh_token") ?? 0;
    if (memory.tokens === undefined) throw new Error("There is no token.");
    memory.tokens = { ...memory.tokens, access_token: "expired" };
    expect(await remote.get("acme:tea")?.instructions()).toBe("Steep for 3 minutes.");
    expect(authority.grants.get("refresh_token")).toBe(refreshed + 1);
    expect(memory.visited).toHaveLength(1);
  });

  test("sends the person to log in again if the refresh token is refused", async () => {
    const { url } = await listen();
    const memory = person();
    const remote = await importFrom(await connect(url, { authProvider: memory.provider, login: memory.login }));
    if (memory.tokens === undefined) throw new Error("There is no token.");
    memory.tokens = { ...memory.tokens, access_token: "expired", refresh_token: "revoked" };
    expect(await remote.get("acme:tea")?.instructions()).toBe("Steep for 3 minutes.");
    expect(memory.visited).toHaveLength(2);
  });

  test("refreshes once for requests at the same time, and has the person log in once", async () => {
    const { url } = await listen();
    const memory = person();
    const remote = await importFrom(await connect(url, { authProvider: memory.provider, login: memory.login }));
    const readAtOnce = async (changes: object) => {
      if (memory.tokens === undefined) throw new Error("There is no token.");
      memory.tokens = { ...memory.tokens, access_token: "expired", ...changes };
      const skill = remote.get("acme:tea");
      return Promise.all([skill?.instructions(), skill?.instructions(), skill?.instructions()]);
    };
    const refreshed = authority.grants.get("refresh_token") ?? 0;
    expect(new Set(await readAtOnce({}))).toEqual(new Set(["Steep for 3 minutes."]));
    expect(authority.grants.get("refresh_token")).toBe(refreshed + 1);
    expect(new Set(await readAtOnce({ refresh_token: "revoked" }))).toEqual(new Set(["Steep for 3 minutes."]));
    expect(memory.visited).toHaveLength(2);
  });

  test("gets more scopes while it is connected, when the server asks for them", async () => {
    const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." })]);
    const http = createServer().listen(0, "127.0.0.1");
    await once(http, "listening");
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const guard = (...scopes: string[]) =>
      requireOAuth(createSkillsServer(skills), { issuers: [authority.issuer], resource: url, scopes });
    let guarded = await guard("skills:read");
    http.on("request", toNodeHandler({ fetch: (request) => guarded.fetch(request) }));
    onTestFinished(() => void http.close().closeAllConnections());

    const memory = createMemoryLogin(authority.visit, { client_id: DESKTOP.client_id, issuer: authority.issuer });
    const client = await connect(url, { authProvider: memory.provider, login: memory.login });
    expect(memory.tokens?.scope).not.toContain("skills:admin");
    guarded = await guard("skills:read", "skills:admin");
    expect((await importFrom(client)).names).toEqual(["acme:tea"]);
    expect(memory.tokens?.scope).toContain("skills:read");
    expect(memory.tokens?.scope).toContain("skills:admin");
    expect(memory.visited).toHaveLength(2);
  });
});

describe("access is refused, and the error says why,", () => {
  test("without a login", async () => {
    const { url } = await listen();
    const { provider, visited } = person();
    await expect(connect(url, { authProvider: provider })).rejects.toMatchObject({
      code: "authorization-failed",
      message: expect.stringContaining(new URL(url).host),
    });
    expect(visited).toHaveLength(1);
  });

  test("if the person declines", async () => {
    const { url } = await listen();
    const { provider } = person();
    const login = async () =>
      new URLSearchParams({ error: "access_denied", error_description: "no", iss: authority.issuer });
    await expect(connect(url, { authProvider: provider, login })).rejects.toMatchObject({
      code: "authorization-failed",
      message: expect.stringContaining("refused access: no."),
    });
  });

  test.each([
    [
      "for a token of another server",
      () => authority.token({ resource: "https://other.example/mcp" }),
      /another server/,
    ],
    ["for a token that is no JWT", async () => "opaque", /JSON Web Token/],
  ])("%s", async (_, tokenFor, reason) => {
    const { url } = await listen();
    await expect(connect(url, withToken(await tokenFor()))).rejects.toMatchObject({
      code: "authorization-failed",
      message: expect.stringMatching(reason),
    });
  });

  test("for a token without the scope", async () => {
    const { url } = await listen();
    const token = await authority.token({ resource: url, scope: "skills:admin" });
    await expect(connect(url, withToken(token))).rejects.toMatchObject({
      code: "authorization-failed",
      message: expect.stringMatching(/scope/),
    });
  });

  test("for a token that is no longer valid when skills are listed or read", async () => {
    const { url } = await listen();
    let token = await authority.token({ resource: url, scope: "skills:read" });
    const client = await connect(url, { authProvider: { token: async () => token } });
    const remote = await importFrom(client);
    token = "revoked";
    const refused: object = { code: "authorization-failed", message: expect.stringMatching(/JSON Web Token/) };
    await expect(importFrom(client)).rejects.toMatchObject(refused);
    await expect(remote.get("acme:tea")?.instructions()).rejects.toMatchObject(refused);
  });
});

describe("aborting while the person logs in", () => {
  const reason = new Error("The person closed the window.");

  test("ends connecting, even if 'login' ignores the signal", async () => {
    const { url } = await listen();
    const { provider } = person();
    const controller = new AbortController();
    const login = () => {
      controller.abort(reason);
      return new Promise<never>(() => {});
    };
    await expect(connect(url, { authProvider: provider, login, signal: controller.signal })).rejects.toBe(reason);
  });

  test("ends connecting, even if the provider never has a token", async () => {
    const { url } = await listen();
    const controller = new AbortController();
    const token = () => {
      controller.abort(reason);
      return new Promise<never>(() => {});
    };
    await expect(connect(url, { authProvider: { token }, signal: controller.signal })).rejects.toBe(reason);
  });

  test("aborts the signal that 'login' got, and its own error does not hide the reason", async () => {
    const { url } = await listen();
    const { provider } = person();
    const controller = new AbortController();
    const login: ConnectHttpOptions["login"] = ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("The port was closed.")));
        controller.abort(reason);
      });
    await expect(connect(url, { authProvider: provider, login, signal: controller.signal })).rejects.toBe(reason);
  });

  test("leaves the code of a login that ends later unused", async () => {
    const { url } = await listen();
    const memory = person();
    const controller = new AbortController();
    const late = Promise.withResolvers<URLSearchParams>();
    const login = () => {
      controller.abort(reason);
      return late.promise;
    };
    const codes = authority.grants.get("authorization_code");
    const connecting = connect(url, { authProvider: memory.provider, login, signal: controller.signal });
    await expect(connecting).rejects.toBe(reason);
    late.resolve(await memory.login());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(authority.grants.get("authorization_code")).toBe(codes);
    expect(memory.tokens).toBeUndefined();
  });

  test("does not concern logins after connecting", async () => {
    const { url } = await listen();
    const memory = person();
    const controller = new AbortController();
    const signals: unknown[] = [];
    const login: ConnectHttpOptions["login"] = ({ signal }) => {
      signals.push(signal);
      return memory.login();
    };
    const client = await connect(url, { authProvider: memory.provider, login, signal: controller.signal });
    controller.abort(reason);
    if (memory.tokens === undefined) throw new Error("There is no token.");
    memory.tokens = { ...memory.tokens, access_token: "expired", refresh_token: "revoked" };
    expect((await importFrom(client)).names).toEqual(["acme:tea"]);
    expect(signals).toEqual([controller.signal, undefined]);
  });
});

describe("with 'authProvider', connecting is an invalid option, and no token is requested,", () => {
  test.each([
    ["over plain HTTP to another machine", "http://skills.example.com/mcp", "http://skills.example.com"],
    ["to a name that only starts like this machine", "http://127.0.0.1.example.com/mcp", "https"],
    ["with a password in the URL", "https://ada:hunter2@skills.example.com/mcp", "password"],
    ["without a URL", "skills", "must be a URL"],
  ])("%s", async (_, url, named) => {
    let asked = 0;
    const token = async () => String(++asked);
    const error: unknown = await connect(url, { authProvider: { token } }).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code: "option-invalid", message: expect.stringContaining(named) });
    expect(String(error)).not.toContain("hunter2");
    expect(asked).toBe(0);
  });
});

test("the URL of a server may have a query", async () => {
  const { url } = await listen();
  const token = await authority.token({ resource: url, scope: "skills:read" });
  expect((await importFrom(await connect(`${url}?team=1`, withToken(token)))).names).toEqual(["acme:tea"]);
});
