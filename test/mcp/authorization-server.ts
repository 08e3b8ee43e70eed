import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface AuthorizationServer {
  readonly issuer: string;
  /** Gets a token without a person: the client credentials grant. */
  token(request: { readonly resource: string; readonly scope?: string }): Promise<string>;
  /** Signs with the server's key, for tokens that the server does not issue. */
  sign(input: string): Buffer;
  /** Does what a browser does for a person who agrees to everything, and returns the parameters of the redirect. */
  visit(url: URL): Promise<URLSearchParams>;
  /** How often clients got tokens, by grant. */
  readonly grants: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface AuthorizationServerOptions {
  /** How long access tokens are valid, in seconds. */
  readonly lifetime?: () => number;
  readonly scopes?: string;
  /** The port of a server that was closed, to replace it by one with another key. */
  readonly port?: number;
}

/** A client that is known without registration, so that it may ask for any scope. */
export const DESKTOP = {
  client_id: "desktop",
  token_endpoint_auth_method: "none",
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  redirect_uris: ["http://127.0.0.1:9/callback"],
};

/** Starts a real authorization server on loopback, with dynamic registration. */
export async function startAuthorizationServer({
  lifetime = () => 300,
  scopes = "skills:read skills:admin",
  port = 0,
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const grants = new Map<string, number>();
  const machine = { client_id: "machine", client_secret: "not-a-secret-outside-of-tests" };
  const provider = new Provider(issuer, {
    clients: [{ ...machine, grant_types: ["client_credentials"], redirect_uris: [], response_types: [] }, DESKTOP],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: crypto.randomUUID(), use: "sig", alg: "RS256" }] },
    cookies: { keys: ["cookies-of-a-test"] },
    scopes: ["openid", "offline_access", ...scopes.split(" ")],
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: lifetime,
      ClientCredentials: lifetime,
      Grant: 600,
      Interaction: 60,
      RefreshToken: 600,
      Session: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: scopes,
          audience,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) return next();
    context.respond = false;
    const { prompt, params, session } = await provider.interactionDetails(context.req, context.res);
    if (prompt.name === "login")
      return provider.interactionFinished(context.req, context.res, { login: { accountId: "ada" } });
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
    const requested = String(params.scope ?? "");
    grant.addOIDCScope(requested);
    for (const resource of [params.resource].flat()) grant.addResourceScope(String(resource), requested);
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(context.req, context.res, { consent });
  });
  provider.on("grant.success", ({ oidc }) => {
    const grant = String(oidc.params.grant_type);
    grants.set(grant, (grants.get(grant) ?? 0) + 1);
  });
  http.on("request", provider.callback());
  return {
    issuer,
    grants,
    sign: (input) => sign("sha256", Buffer.from(input), privateKey),
    visit: (url) => visit(issuer, url),
    token: async (request) => {
      const body = new URLSearchParams({ grant_type: "client_credentials", ...machine, ...request });
      const response = await fetch(`${issuer}/token`, { method: "POST", body });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`No token: status ${response.status}`);
      return token;
    },
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function visit(issuer: string, url: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  for (let next = url, steps = 0; steps < 20; steps++) {
    if (next.origin !== issuer) return next.searchParams;
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${next.href} answered ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
  }
  throw new Error("The authorization server redirects without end.");
}
