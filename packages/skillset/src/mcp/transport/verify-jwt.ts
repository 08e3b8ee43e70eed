import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { loadPeer } from "../../adapter/load-peer.ts";
import type { VerifyToken } from "./require-oauth.ts";
import { isSecureUrl } from "./secure-url.ts";

/** Verifies JSON Web Tokens with the keys that their issuers publish. Keys are fetched on use and cached. */
export async function createJwtVerifier(issuers: readonly string[]): Promise<VerifyToken> {
  const jose = await loadPeer("jose", () => import("jose"), {
    versions: { name: "jose", range: ">=4.5.0 <7", install: "6" },
    features: ["createRemoteJWKSet", "decodeJwt", "jwtVerify"],
  });
  const keys = new Map(
    issuers.map((issuer) => {
      const find = async (): Promise<JWTVerifyGetKey> => jose.createRemoteJWKSet(await findKeys(issuer));
      return [issuer, withPauses(find)];
    }),
  );
  const unverifiedIssuer = (token: string): string | undefined => {
    try {
      return jose.decodeJwt(token).iss;
    } catch {
      throw invalid("The token is not a JSON Web Token");
    }
  };
  return async (token) => {
    // Only selects the keys; the signature is checked below.
    const issuer = unverifiedIssuer(token) ?? "";
    const key = keys.get(issuer);
    if (key === undefined) throw invalid("The token is from another issuer");
    try {
      const options = { issuer, algorithms: ALGORITHMS, requiredClaims: ["exp"] };
      const { payload, protectedHeader } = await jose.jwtVerify(token, key, options);
      if (!isAccessToken(protectedHeader.typ, payload)) throw invalid("The token is not an access token");
      return readClaims(payload);
    } catch (error) {
      const reason = faultOf(error);
      throw reason === undefined ? error : invalid(reason);
    }
  };
}

/**
 * Finds the keys of an issuer on first use. After a failure, pauses before the next attempt: anybody can send tokens, and
 * each would make this server send requests.
 */
function withPauses(find: () => Promise<JWTVerifyGetKey>): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | undefined;
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  return async (header, token) => {
    if (failure !== undefined && Date.now() < failure.until) throw failure.error;
    found ??= find();
    const used = found;
    try {
      return await (await used)(header, token);
    } catch (error) {
      if (faultOf(error) !== undefined) throw error;
      failure = { error, until: Date.now() + PAUSE };
      if (found === used) found = undefined;
      throw error;
    }
  };
}

/** Long enough to bound the requests, and short enough not to be noticed when the issuer is back. */
const PAUSE = 5_000;

/**
 * Whether a token is for resource servers. Only some issuers say so in its header (RFC 9068). Others write `JWT` or nothing,
 * also into ID tokens, which have other claims.
 */
function isAccessToken(typ = "JWT", claims: JWTPayload): boolean {
  const type = typ.toLowerCase().replace(/^application\//, "");
  if (type === "at+jwt") return true;
  if (type !== "jwt" || OF_OTHER_TOKENS.some((name) => name in claims)) return false;
  // What Keycloak and Cognito call the kinds of their tokens.
  const { typ: kind = "Bearer", token_use: use = "access" } = claims;
  if (kind !== "Bearer" || use !== "access") return false;
  return claims.typ !== undefined || claims.token_use !== undefined || OF_ACCESS_TOKENS.some((name) => name in claims);
}

/** Claims of ID tokens, and of events such as a logout. */
const OF_OTHER_TOKENS = ["nonce", "at_hash", "c_hash", "s_hash", "events"];

/** Who may do what: the standard's names, and those of Okta and Microsoft Entra. */
const OF_ACCESS_TOKENS = ["scope", "scp", "client_id", "cid", "appid", "azpacr"];

/** Signatures with a key pair: who verifies a token cannot issue one. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const UNKNOWN_KEY = "The token is signed with a key that its issuer does not publish";
const WRONG_ALGORITHM = "The token is signed with an algorithm that is not accepted";

/** What is wrong with a token. Undefined for errors that are not the token's fault. */
function faultOf(error: unknown): string | undefined {
  return FAULTS[(error as { code?: string }).code ?? ""];
}

/** By the code of jose's error. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "The token has expired",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "A claim of the token is missing or not valid",
  ERR_JWT_INVALID: "The token is not a JSON Web Token",
  ERR_JWS_INVALID: "The token is not a JSON Web Token",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature is wrong",
  ERR_JWKS_NO_MATCHING_KEY: UNKNOWN_KEY,
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: UNKNOWN_KEY,
  ERR_JOSE_ALG_NOT_ALLOWED: WRONG_ALGORITHM,
  ERR_JOSE_NOT_SUPPORTED: WRONG_ALGORITHM,
};

async function findKeys(issuer: string): Promise<URL> {
  const { discoverAuthorizationServerMetadata } = await import("@modelcontextprotocol/client");
  // For all requests of the search together.
  const signal = AbortSignal.timeout(10_000);
  const fetchFn = (url: string | URL, init?: RequestInit): Promise<Response> => fetch(url, { ...init, signal });
  const cannot = (why: string, cause?: unknown): Error =>
    new Error(`Tokens of the issuer '${issuer}' cannot be verified: ${why}`, { cause });
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn }).catch((error: Error) => {
    throw cannot(error.message, error);
  });
  if (metadata === undefined) throw cannot("its metadata cannot be loaded.");
  const { jwks_uri: uri } = metadata;
  if (typeof uri !== "string" || !isSecureUrl(uri)) throw cannot("its metadata has no 'jwks_uri' with https.");
  return new URL(uri);
}

function readClaims(payload: JWTPayload) {
  const { sub, aud = [], exp = 0, scope, scp, client_id: clientId, azp } = payload;
  const client = [clientId, azp].find((one) => typeof one === "string");
  return {
    ...(sub !== undefined && { subject: sub }),
    ...(client !== undefined && { clientId: client as string }),
    audiences: [aud].flat().filter((one) => typeof one === "string"),
    // `scp` is what Microsoft Entra and Okta call it.
    scopes: [scope ?? scp ?? []].flat().flatMap((one) => String(one).split(" ")),
    expiresAt: exp,
    claims: payload,
  };
}

function invalid(reason: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, reason);
}
