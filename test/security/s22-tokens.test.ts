import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import { createSkillsServer, requireOAuth } from "../../packages/skillset/src/mcp/index.ts";
import { type AuthorizationServer, startAuthorizationServer } from "../mcp/authorization-server.ts";
import { report } from "./report.ts";

const RESOURCE = "https://skills.example.com/mcp";
const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." })]);

/** A server in this process: returns the status of a request with a token. */
async function guard(issuer: string, errors: Error[] = []) {
  const { fetch: answer } = await requireOAuth(createSkillsServer(skills), {
    issuers: [issuer],
    resource: RESOURCE,
    scopes: ["skills:read"],
    onError: (error) => errors.push(error),
  });
  return async (token: string): Promise<number> => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    return (await answer(new Request(RESOURCE, { method: "POST", headers, body }))).status;
  };
}

test("S22: 0 of 60 tokens get through that are forged, for another audience, of another type, expired or out of scope", async () => {
  const authority = await startAuthorizationServer();
  onTestFinished(() => authority.close());
  const ask = await guard(authority.issuer);
  const tokens = await hostileTokens(authority);
  expect(tokens).toHaveLength(60);
  const good = await genuine(authority);
  for (const token of good) expect(await ask(token)).toBe(200);
  const through: string[] = [];
  for (const [name, token] of tokens) {
    const status = await ask(token);
    expect([400, 401, 403], `${name}: ${status}`).toContain(status);
    if (status === 200) through.push(name);
  }
  const naive = tokens.filter(([, token]) => isAcceptedNaively(token));
  const control = `a server that decodes tokens without verifying them accepts ${naive.length}`;
  report("S22", {
    tried: "forged and wrong tokens",
    cases: tokens.length,
    through: through.length,
    control,
    note: `${good.length} genuine ones pass`,
  });
  expect(naive.length).toBeGreaterThan(15);
});

test.each(["refuses connections", "answers 500", "has keys that cannot be loaded"])(
  "S22: an issuer that %s is asked once for 30 requests",
  async (fault) => {
    let requests = 0;
    const http = createServer((request, response) => {
      requests++;
      const { port } = http.address() as AddressInfo;
      const issuer = `http://127.0.0.1:${port}`;
      if (fault === "has keys that cannot be loaded" && request.url?.startsWith("/.well-known"))
        return response.setHeader("content-type", "application/json").end(
          JSON.stringify({
            issuer,
            jwks_uri: `${issuer}/jwks`,
            authorization_endpoint: `${issuer}/a`,
            token_endpoint: `${issuer}/t`,
            response_types_supported: ["code"],
          }),
        );
      if (fault === "refuses connections") return request.socket.destroy();
      return response.writeHead(500).end();
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    onTestFinished(() => void http.close());
    const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const token = write({ alg: "RS256" }, { iss: issuer, exp: 4e9 }, (text) =>
      sign("sha256", Buffer.from(text), privateKey),
    );
    const errors: Error[] = [];
    const ask = await guard(issuer, errors);
    expect(await ask(token)).toBe(500);
    const once30 = requests;
    for (let count = 1; count < 30; count++) expect(await ask(token)).toBe(500);
    expect(requests).toBe(once30);
    expect(errors).toHaveLength(30);
    // Without memory, each request searches.
    await (await guard(issuer))(token);
    expect(requests).toBeGreaterThan(once30);
    report("S22", {
      tried: "requests while an issuer is out of reach",
      cases: 30,
      through: 0,
      control: "without memory, each request asks the issuer again",
      note: `an issuer that ${fault}: ${once30}`,
    });
  },
);

type Claims = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function write(header: Claims, claims: unknown, signature: (text: string) => Buffer | string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${Buffer.from(signature(text)).toString("base64url")}`;
}

async function facts(authority: AuthorizationServer) {
  const real = await authority.token({ resource: RESOURCE, scope: "skills:read" });
  const [head = "", body = ""] = real.split(".").map((part) => Buffer.from(part, "base64url").toString());
  return { real, header: JSON.parse(head) as Claims, claims: JSON.parse(body.startsWith("{") ? body : "{}") as Claims };
}

/** Tokens of the kinds that issuers write. */
async function genuine(authority: AuthorizationServer): Promise<readonly string[]> {
  const { real, header, claims } = await facts(authority);
  const { scope: _scope, client_id: _client, ...rest } = claims;
  const signed = (head: Claims, body: Claims) => write({ ...header, ...head }, body, authority.sign);
  return [
    real,
    signed({ typ: "application/at+jwt" }, claims),
    signed({ typ: "JWT" }, claims),
    signed({ typ: undefined }, claims),
    signed({ typ: "JWT" }, { ...rest, typ: "Bearer", azp: "app", scope: "skills:read" }),
    signed({ typ: "JWT" }, { ...rest, token_use: "access", scope: "skills:read" }),
    signed({ typ: "JWT" }, { ...rest, scp: ["skills:read"], azpacr: "1" }),
    signed({}, { ...claims, aud: ["https://other.example", RESOURCE] }),
  ];
}

async function hostileTokens(authority: AuthorizationServer): Promise<readonly (readonly [string, string])[]> {
  const { real, header, claims } = await facts(authority);
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { keys } = (await (await fetch(`${authority.issuer}/jwks`)).json()) as { keys: Claims[] };
  const [published = {}] = keys;
  const jwk = own.publicKey.export({ format: "jwk" });
  const signOwn = (text: string) => sign("sha256", Buffer.from(text), own.privateKey);
  const now = Math.floor(Date.now() / 1000);
  const [head64 = "", body64 = "", signature64 = ""] = real.split(".");
  const forged = (
    name: string,
    head: Claims,
    body: Claims = {},
    signature: (text: string) => Buffer | string = signOwn,
  ) => [`forged: ${name}`, write({ ...header, ...head }, { ...claims, ...body }, signature)] as const;
  const signed = (name: string, body: Claims, head: Claims = {}) =>
    [name, write({ ...header, ...head }, { ...claims, ...body }, authority.sign)] as const;
  const hmac = (secret: string) => (text: string) => createHmac("sha256", secret).update(text).digest();
  const { client_id: _client, scope: _scope, ...bare } = claims;
  const idToken = (name: string, extra: Claims, head: Claims = { typ: "JWT" }) =>
    [`type: ${name}`, write({ ...header, ...head }, { ...bare, ...extra }, authority.sign)] as const;
  return [
    forged("another key", {}),
    forged("another key and name", { kid: "other" }),
    forged("no name of a key", { kid: undefined }),
    forged("no signature", { alg: "none" }, {}, () => ""),
    ...["None", "NONE", "nOnE", ""].map((alg) => forged(`algorithm ${alg}`, { alg }, {}, () => "")),
    forged("HS256 with the public key", { alg: "HS256" }, {}, hmac(JSON.stringify(published))),
    forged("HS256 with the modulus", { alg: "HS256" }, {}, hmac(String(published.n))),
    forged("HS256 with nothing", { alg: "HS256" }, {}, hmac("")),
    forged("its own key in the header", { jwk, kid: undefined }),
    forged("its own key by address", { jku: "https://evil.example/jwks" }),
    forged("its own certificate by address", { x5u: "https://evil.example/cert" }),
    forged("its own certificate", { x5c: ["MIIB"] }),
    forged("another curve", { alg: "ES256" }, {}, (text) =>
      sign("sha256", Buffer.from(text), { key: ec.privateKey, dsaEncoding: "ieee-p1363" }),
    ),
    forged("an empty signature", {}, {}, () => ""),
    forged("a cut signature", {}, {}, (text) => authority.sign(text).subarray(0, 100)),
    forged("a name with a path", { kid: "../../../../dev/null" }),
    forged("an unknown critical header", { crit: ["x"], x: 1 }, {}, authority.sign),
    forged("encoded as text", { b64: false, crit: ["b64"] }, {}, authority.sign),
    ["forged: changed claims", `${head64}.${encode({ ...claims, sub: "root" })}.${signature64}`],
    ["forged: changed header", `${encode({ ...header, x: 1 })}.${body64}.${signature64}`],
    ["forged: no claims", `${head64}..${signature64}`],
    ["forged: two parts", `${head64}.${body64}`],
    ["forged: five parts", `${real}.x.y`],
    ["forged: text", "opaque"],
    ["forged: claims that are a list", write(header, [claims], authority.sign)],
    ["forged: claims that are null", write(header, null, authority.sign)],
    signed("issuer: another", { iss: "https://evil.example" }),
    signed("issuer: none", { iss: undefined }),
    signed("issuer: a prefix", { iss: `${authority.issuer}.evil.example` }),
    signed("issuer: with a slash", { iss: `${authority.issuer}/` }),
    signed("issuer: a list", { iss: [authority.issuer] }),
    signed("audience: another", { aud: "https://other.example/mcp" }),
    signed("audience: the origin", { aud: new URL(RESOURCE).origin }),
    signed("audience: a prefix", { aud: `${RESOURCE}.evil` }),
    signed("audience: below", { aud: `${RESOURCE}/x` }),
    signed("audience: none", { aud: undefined }),
    signed("audience: an empty list", { aud: [] }),
    signed("audience: a number", { aud: [7] }),
    signed("audience: with a user", { aud: RESOURCE.replace("//", "//a@") }),
    signed("time: expired", { exp: now - 60 }),
    signed("time: no expiry", { exp: undefined }),
    signed("time: an expiry as text", { exp: "4000000000" }),
    signed("time: an expiry of null", { exp: null }),
    signed("time: not yet", { nbf: now + 600 }),
    signed("scope: another", { scope: "skills:admin" }),
    signed("scope: none", { scope: undefined }),
    signed("scope: a part", { scope: "skills:rea" }),
    signed("scope: longer", { scope: "skills:readonly skills:read:own" }),
    signed("scope: in a list", { scope: undefined, scp: ["skills:admin"] }),
    signed("type: a logout", {}, { typ: "logout+jwt" }),
    signed("type: a proof", {}, { typ: "dpop+jwt" }),
    signed("type: an event", { events: {} }, { typ: "JWT" }),
    idToken("an ID token with a nonce", { nonce: "n", scope: "skills:read" }),
    idToken("an ID token with a hash", { at_hash: "h", scope: "skills:read" }, { typ: undefined }),
    idToken("an ID token of Keycloak", { typ: "ID", scope: "skills:read" }),
    idToken("a refresh token of Keycloak", { typ: "Refresh", scope: "skills:read" }),
    idToken("an ID token of Cognito", { token_use: "id", scope: "skills:read" }),
  ].map(([name, token]) => [name as string, token as string] as const);
}

/** What a server sees that decodes the claims, and compares them. */
function isAcceptedNaively(token: string): boolean {
  try {
    const { aud, exp, scope } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return [aud].flat().includes(RESOURCE) && !(exp < Date.now() / 1000) && String(scope).includes("skills:read");
  } catch {
    return false;
  }
}
