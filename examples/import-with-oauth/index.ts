import assert from "node:assert/strict";
import { createSkillsServer, serveHttp } from "skillset/mcp";
import { startAuthorizationServer } from "../../test/mcp/authorization-server.ts";

const authority = await startAuthorizationServer();
const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep for 3 minutes." });
const server = createSkillsServer(await createSkillset([tea]));
const { url, close } = await serveHttp(server, { oauth: { issuers: [authority.issuer], scopes: ["skills:read"] } });
const redirect = Promise.withResolvers<URLSearchParams>();
const openBrowser = (address: URL): void => void authority.visit(address).then(redirect.resolve, redirect.reject);
const nextRedirect = () => redirect.promise;

// #region program
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { createSkillset, defineSkill } from "skillset";
import { connectHttp, importSkills } from "skillset/mcp";

interface Saved {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  discovery?: OAuthDiscoveryState;
  verifier?: string;
}
const saved: Saved = {}; // keep it where only this user can read it, to log in only once
const redirectUrl = "http://127.0.0.1:8976/callback"; // an address that your program listens on
const state = crypto.randomUUID();

const authProvider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: { client_name: "my-agent", redirect_uris: [redirectUrl] },
  state: () => state,
  clientInformation: () => saved.client,
  saveClientInformation: (client) => void Object.assign(saved, { client }),
  tokens: () => saved.tokens,
  saveTokens: (tokens) => void Object.assign(saved, { tokens }),
  discoveryState: () => saved.discovery,
  saveDiscoveryState: (discovery) => void Object.assign(saved, { discovery }),
  codeVerifier: () => saved.verifier ?? "",
  saveCodeVerifier: (verifier) => void Object.assign(saved, { verifier }),
  redirectToAuthorization: (address) => openBrowser(address),
};

async function login(): Promise<URLSearchParams> {
  const parameters = await nextRedirect(); // of the request to `redirectUrl`
  if (parameters.get("state") !== state) throw new Error("This is not the login that we started.");
  return parameters;
}

const client = await connectHttp(url, { authProvider, login });
const remote = await importSkills(client, { server: "acme", approve: () => true });
const session = await (await createSkillset([remote])).session();
const { text } = await session.activate("acme:tea");
await client.close();
// #endregion

assert.match(text, /Steep for 3 minutes/);
assert.deepEqual(Object.keys(saved).toSorted(), ["client", "discovery", "tokens", "verifier"]);
assert.equal(authority.grants.get("authorization_code"), 1);
await close();
await authority.close();
