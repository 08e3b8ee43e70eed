import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { checkServer } from "./check-server.ts";
import { findUrlFault } from "./secure-url.ts";
import type { FetchServer } from "./to-node-handler.ts";
import { createJwtVerifier } from "./verify-jwt.ts";

/** What an access token says, after it was verified. */
export interface VerifiedToken {
  /** Whom the token identifies: the claim `sub`. */
  readonly subject?: string;
  /** The client that the token was issued to. */
  readonly clientId?: string;
  /** The servers that the token was issued for: the claim `aud`. */
  readonly audiences: readonly string[];
  /** What the token permits. */
  readonly scopes: readonly string[];
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number;
  /** All claims, for the code that answers requests. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Returns what a valid token says, and undefined for any other. If it throws, the client gets status 500. */
export type VerifyToken = (token: string) => VerifiedToken | undefined | Promise<VerifiedToken | undefined>;

/** Options for OAuth: which access tokens a server accepts. */
export interface OAuthOptions {
  /** The authorization servers that clients get tokens from, as URLs exactly as in the tokens' claim `iss`. */
  readonly issuers: readonly string[];
  /**
   * The URL of the MCP endpoint that clients use.
   * @default the URL that the server listens on
   */
  readonly resource?: string;
  /**
   * The audience that a token must have.
   * @default the value of `resource`
   */
  readonly audience?: string;
  /**
   * The scopes that a token must have, all of them.
   * @default []
   */
  readonly scopes?: readonly string[];
  /**
   * Verifies a token. Audience, scopes and expiry are checked afterwards.
   * @default verifies JSON Web Tokens with the keys that the issuers publish; requires the package `jose`
   */
  readonly verifyToken?: VerifyToken;
  /** Called when tokens cannot be verified: an issuer cannot be reached, or `verifyToken` fails. */
  readonly onError?: (error: Error) => void;
}

/**
 * Protects a server that is mounted in another program: requests need an access token, and clients find the
 * authorization server. `fetch` of the protected server gets the caller as `authInfo`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createSkillset } from "skillset";
 * import { createSkillsServer, requireOAuth, toNodeHandler } from "skillset/mcp";
 *
 * const server = createSkillsServer(await createSkillset(["./skills"]));
 * const guarded = await requireOAuth(server, {
 *   issuers: ["https://login.example.com"],
 *   resource: "https://skills.example.com/mcp",
 *   scopes: ["skills:read"],
 * });
 * createServer(toNodeHandler(guarded)).listen(8808, "127.0.0.1");
 * ```
 */
export async function requireOAuth(
  server: FetchServer,
  options: OAuthOptions & { readonly resource: string },
): Promise<FetchServer> {
  checkServer("requireOAuth()", server);
  checkOAuthOptions("requireOAuth()", options);
  const { describe, admit } = await openOAuthGate(options, () => options.resource);
  return {
    fetch: async (request) => {
      const described = describe(request);
      if (described !== undefined) return described;
      const caller = await admit(request);
      return caller instanceof Response ? caller : server.fetch(request, { authInfo: caller });
    },
  };
}

/** Decides about requests, before anything of their body is read. */
export interface OAuthGate {
  /** Answers a request for the metadata of RFC 9728. */
  describe(request: Request): Response | undefined;
  /** Returns who sent the request, or the response that refuses it. */
  admit(request: Request): Promise<AuthInfo | Response>;
}

/** The server's URL may be known only when it listens. */
export async function openOAuthGate(options: OAuthOptions, url: () => string): Promise<OAuthGate> {
  const { issuers, scopes = [], onError } = options;
  const verifyToken = options.verifyToken ?? (await createJwtVerifier(issuers));
  const requiredScopes = [...scopes];
  const resourceOf = (): URL => new URL(options.resource ?? url());
  const metadataOf = () => ({
    resource: resourceOf().href,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  });
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    const resource = resourceOf();
    const verified = await verifyOrRefuse(() => verifyToken(token), onError);
    const audience = options.audience ?? resource.href;
    if (!verified.audiences.some((one) => withoutSlash(one) === withoutSlash(audience)))
      throw new OAuthError(OAuthErrorCode.InvalidToken, "The token was issued for another server (audience)");
    const { subject, claims, clientId = "", expiresAt } = verified;
    return { token, clientId, scopes: [...verified.scopes], expiresAt, resource, extra: { subject, claims } };
  };
  return {
    describe: (request) => {
      const { pathname } = new URL(request.url);
      const own = new URL(getOAuthProtectedResourceMetadataUrl(resourceOf())).pathname;
      if (pathname !== own && pathname !== METADATA) return undefined;
      if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });
      return Response.json(metadataOf(), { headers: { "access-control-allow-origin": "*" } });
    },
    admit: async (request) => {
      // URLs end up in logs and histories.
      if (new URL(request.url).searchParams.has("access_token")) {
        const message = "Send the token in the Authorization header, not in the URL";
        return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InvalidRequest, message));
      }
      const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceOf());
      return requireBearerAuth({ verifier: { verifyAccessToken }, requiredScopes, resourceMetadataUrl })(request);
    },
  };
}

const METADATA = "/.well-known/oauth-protected-resource";

async function verifyOrRefuse(
  verify: () => ReturnType<VerifyToken>,
  onError: OAuthOptions["onError"],
): Promise<VerifiedToken> {
  try {
    const verified = await verify();
    if (verified !== undefined) return checkVerified(verified);
  } catch (error) {
    // A fault of the token is the client's concern; any other is the operator's.
    if (!(error instanceof OAuthError)) onError?.(error as Error);
    throw error;
  }
  throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is not valid");
}

/** A verifier is code of the program, which may be plain JavaScript. The SDK checks the expiry. */
function checkVerified(verified: VerifiedToken): VerifiedToken {
  const invalid = (what: string): SkillError => new SkillError("option-invalid", `'verifyToken' must return ${what}.`);
  if (typeof verified !== "object" || verified === null) throw invalid("an object or undefined");
  for (const field of ["audiences", "scopes"] as const) {
    const list: unknown = verified[field];
    if (!Array.isArray(list) || !list.every((one) => typeof one === "string"))
      throw invalid(`a list of texts as '${field}'`);
  }
  return verified;
}

/** A misspelt option must not leave out the scopes or the audience that a token needs. */
export function checkOAuthOptions(what: string, options: Partial<OAuthOptions> = {}): void {
  checkOptions(what, options, OPTIONS);
  const { issuers, resource, scopes = [] } = options;
  if (!Array.isArray(issuers) || issuers.length === 0)
    throw new SkillError("option-invalid", "'issuers' must list at least one URL of an authorization server.");
  for (const issuer of issuers) checkUrl("issuers", issuer);
  if (resource !== undefined) checkUrl("resource", resource);
  // A text would be taken apart into characters.
  if (!Array.isArray(scopes) || !scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
    throw new SkillError("option-invalid", "'scopes' must be a list of names without spaces and quotes.");
}

function checkUrl(option: string, text: string): void {
  const fault = findUrlFault(text) ?? (/[?#]/.test(text) ? "the URL must not contain a query or fragment" : undefined);
  if (fault !== undefined) throw new SkillError("option-invalid", `'${option}' is not valid: ${fault}.`);
}

const OPTIONS: OptionTable<OAuthOptions> = {
  issuers: true,
  resource: true,
  audience: true,
  scopes: true,
  verifyToken: true,
  onError: true,
};

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
