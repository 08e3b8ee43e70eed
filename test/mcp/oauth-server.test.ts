import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import { createSkillsServer, type OAuthOptions, serveHttp } from "../../packages/skillset/src/mcp/index.ts";
import { type AuthorizationServer, startAuthorizationServer } from "./authorization-server.ts";

let authority: AuthorizationServer;
let lifetime = 300;
beforeAll(async () => {
  authority = await startAuthorizationServer({ lifetime: () => lifetime });
});
afterAll(() => authority.close());

const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." })]);

async function listen(options: Partial<OAuthOptions> = {}) {
  const server = createSkillsServer(skills);
  const oauth = { issuers: [authority.issuer], scopes: ["skills:read"], ...options };
  const listener = await serveHttp(server, { oauth });
  onTestFinished(async () => {
    await listener.close();
    await server.close();
  });
  return { ...listener, metadataUrl: new URL("/.well-known/oauth-protected-resource/mcp", listener.url).href };
}

function post(url: string, token?: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
}

const readToken = (resource: string) => authority.token({ resource, scope: "skills:read" });

describe("a server with OAuth", () => {
  test("answers a request with a token that was issued for it", async () => {
    const { url } = await listen();
    const response = await post(url, await readToken(url));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("activate_skill");
  });

  test("has no static token", async () => {
    const listener = await listen();
    expect(listener).not.toHaveProperty("token");
    await expect(
      serveHttp(createSkillsServer(skills), { token: "x".repeat(32), oauth: { issuers: [authority.issuer] } }),
    ).rejects.toMatchObject({ code: "option-invalid" });
  });

  test("publishes where clients get tokens, without a token", async () => {
    const { url, metadataUrl } = await listen();
    for (const address of [metadataUrl, new URL("/.well-known/oauth-protected-resource", url).href]) {
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        resource: url,
        authorization_servers: [authority.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: ["skills:read"],
      });
    }
    expect((await fetch(metadataUrl, { method: "POST" })).status).toBe(405);
  });

  test("checks the Host and the Origin of requests for the metadata too", async () => {
    const { metadataUrl } = await listen();
    expect((await fetch(metadataUrl, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  });

  test("shows a client without a token where to get one", async () => {
    const { url, metadataUrl } = await listen();
    const response = await post(url);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain(`resource_metadata="${metadataUrl}"`);
    expect(response.headers.get("www-authenticate")).toContain('scope="skills:read"');
  });

  test("refuses a token in the URL, even a valid one", async () => {
    const { url } = await listen();
    const token = await readToken(url);
    for (const header of [undefined, token]) {
      const response = await post(`${url}?access_token=${token}`, header);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "invalid_request" });
    }
  });

  test("answers 403 if the token lacks a scope, and names the scope", async () => {
    const { url, metadataUrl } = await listen();
    const response = await post(url, await authority.token({ resource: url, scope: "skills:admin" }));
    expect(response.status).toBe(403);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="skills:read"');
    expect(challenge).toContain(metadataUrl);
  });

  test("accepts another audience only if it is told so", async () => {
    const token = await readToken("https://api.example.com/skills");
    const { url } = await listen({ audience: "https://api.example.com/skills" });
    expect((await post(url, token)).status).toBe(200);
    expect((await post(url, await readToken(url))).status).toBe(401);
  });

  test("answers 500, not 401, if the issuer cannot be reached, and reports the error", async () => {
    const errors: Error[] = [];
    const other = await startAuthorizationServer();
    const { url } = await listen({ issuers: [other.issuer], onError: (error) => errors.push(error) });
    const token = await other.token({ resource: url, scope: "skills:read" });
    await other.close();
    expect((await post(url, token)).status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringContaining(`'${other.issuer}' cannot be verified`) }]);
  });
});

/** Changes a real token, and signs it in another way. */
async function forge(
  url: string,
  header: object,
  signature: (input: string) => Buffer,
  claims: object = {},
): Promise<string> {
  const [head = "", body = ""] = (await readToken(url)).split(".");
  const read = (part: string): object => JSON.parse(Buffer.from(part, "base64url").toString());
  const write = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${write({ ...read(head), ...header })}.${write({ ...read(body), ...claims })}`;
  return `${input}.${signature(input).toString("base64url")}`;
}

describe("refused with status 401", () => {
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const signWith = (key: KeyObject) => (input: string) => sign("sha256", Buffer.from(input), key);

  test.each<[string, (url: string) => Promise<string>, RegExp]>([
    ["a token for another server", () => readToken("https://other.example/mcp"), /another server/],
    ["a token for the server's origin", (url) => readToken(new URL(url).origin), /another server/],
    ["a token without a signature", (url) => forge(url, { alg: "none" }, () => Buffer.alloc(0)), /algorithm|JSON Web/],
    ["a token with a key that is not published", (url) => forge(url, { kid: "new" }, signWith(own.privateKey)), /key/],
    ["a token with another key under a known name", (url) => forge(url, {}, signWith(own.privateKey)), /signature/],
    [
      "a token signed with the public key as a secret",
      async (url) => {
        const { keys } = (await (await fetch(`${authority.issuer}/jwks`)).json()) as { keys: object[] };
        const secret = JSON.stringify(keys[0]);
        return forge(url, { alg: "HS256" }, (input) => createHmac("sha256", secret).update(input).digest());
      },
      /algorithm/,
    ],
    [
      "a token with changed claims",
      async (url) => {
        const [, , signature = ""] = (await readToken(url)).split(".");
        return forge(url, {}, () => Buffer.from(signature, "base64url"), { sub: "root" });
      },
      /signature/,
    ],
    [
      "a token of another issuer",
      (url) => forge(url, {}, signWith(own.privateKey), { iss: "https://evil.example" }),
      /another issuer/,
    ],
    ["a token without an expiry", (url) => forge(url, {}, authority.sign, { exp: undefined }), /claim .* is missing/],
    ["a token with a wrong audience claim", (url) => forge(url, {}, authority.sign, { aud: [7] }), /another server/],
    ["a token that is no JWT", async () => "opaque", /JSON Web Token/],
  ])("%s", async (_, tokenFor, reason) => {
    const { url, metadataUrl } = await listen();
    const response = await post(url, await tokenFor(url));
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain(metadataUrl);
    expect(challenge).toMatch(reason);
  });

  test("a token whose key the issuer no longer publishes", async () => {
    const before = await startAuthorizationServer();
    const { url } = await listen({ issuers: [before.issuer] });
    const token = await before.token({ resource: url, scope: "skills:read" });
    await before.close();
    const after = await startAuthorizationServer({ port: Number(new URL(before.issuer).port) });
    onTestFinished(() => after.close());
    expect(after.issuer).toBe(before.issuer);
    const response = await post(url, token);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("does not publish");
    expect((await post(url, await after.token({ resource: url, scope: "skills:read" }))).status).toBe(200);
  });

  test("a token that has expired", async () => {
    const { url } = await listen();
    lifetime = 1;
    const token = await readToken(url);
    lifetime = 300;
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const response = await post(url, token);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("expired");
  });
});

describe("the caller", () => {
  test("reaches the code that answers, which can choose the skills", async () => {
    const skillsOf = async (subject: unknown) =>
      createSkillset([defineSkill({ name: `of-${subject}`, description: "Personal.", body: "Mine." })]);
    const choosing = {
      fetch: async (request: Request, { authInfo }: Parameters<typeof server.fetch>[1] = {}) =>
        createSkillsServer(await skillsOf(authInfo?.extra?.subject)).fetch(request, authInfo && { authInfo }),
    };
    const server = createSkillsServer(skills);
    const listener = await serveHttp(choosing, { oauth: { issuers: [authority.issuer] } });
    onTestFinished(() => listener.close());
    const response = await post(listener.url, await readToken(listener.url));
    expect(await response.text()).toContain("of-machine");
  });
});

test.each([
  ["no issuer", { issuers: [] }],
  ["an issuer that is not a text", { issuers: [undefined as never] }],
  ["an issuer over plain HTTP on another machine", { issuers: ["http://login.example.com"] }],
  ["a resource that is not a URL", { issuers: ["https://login.example.com"], resource: "skills" }],
  ["scopes as a text", { issuers: ["https://login.example.com"], scopes: "skills:read" as never }],
  ["a scope with a space", { issuers: ["https://login.example.com"], scopes: ["skills read"] }],
])("%s is an invalid option", async (_, oauth) => {
  await expect(serveHttp(createSkillsServer(skills), { oauth })).rejects.toMatchObject({ code: "option-invalid" });
});

test.each([
  ["https://ada:hunter2@login.example.com", "must not contain a user name or password"],
  ["http://ada:hunter2@login.example.com", "must not contain a user name or password"],
  ["http://hunter2@127.0.0.1", "must not contain a user name or password"],
  ["ada:hunter2@login.example.com", "must be a URL"],
  ["https://login.example.com/?key=hunter2", "must not contain a query or fragment"],
  ["https://login.example.com/#hunter2", "must not contain a query or fragment"],
])("the URL %s is an invalid option, and the error does not contain the secret", async (url, fault) => {
  for (const oauth of [{ issuers: [url] }, { issuers: [authority.issuer], resource: url }]) {
    const refused = serveHttp(createSkillsServer(skills), { oauth });
    await expect(refused).rejects.toMatchObject({ code: "option-invalid", message: expect.stringContaining(fault) });
    await expect(refused).rejects.not.toThrow("hunter2");
  }
});

test("a server for other machines needs the URL that clients use", async () => {
  const options = { host: "0.0.0.0", allowedHosts: ["skills.example.com"], oauth: { issuers: [authority.issuer] } };
  await expect(serveHttp(createSkillsServer(skills), options)).rejects.toMatchObject({
    code: "option-invalid",
    message: expect.stringContaining("oauth.resource"),
  });
});
