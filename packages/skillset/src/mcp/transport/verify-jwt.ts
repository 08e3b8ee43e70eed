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
  const keys = new Map<string, Promise<JWTVerifyGetKey>>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const known = keys.get(issuer);
    if (known !== undefined) return known;
    const found = findKeys(issuer).then((url) => jose.createRemoteJWKSet(url));
    keys.set(issuer, found);
    // The next token tries again.
    found.catch(() => keys.delete(issuer));
    return found;
  };
  const unverifiedIssuer = (token: string): string | undefined => {
    try {
      return jose.decodeJwt(token).iss;
    } catch {
      throw invalid("The token is not a JSON Web Token");
    }
  };
  return async (token) => {
    // Only selects the keys; the signature is checked below.
    const issuer = issuers.find((one) => one === unverifiedIssuer(token));
    if (issuer === undefined) throw invalid("The token is from another issuer");
    const key = await keysOf(issuer);
    try {
      const options = { issuer, algorithms: ALGORITHMS, requiredClaims: ["exp"] };
      return readClaims((await jose.jwtVerify(token, key, options)).payload);
    } catch (error) {
      const reason = FAULTS[(error as { code?: string }).code ?? ""];
      throw reason === undefined ? error : invalid(reason);
    }
  };
}

/** Signatures with a key pair: who verifies a token cannot issue one. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const UNKNOWN_KEY = "The token is signed with a key that its issuer does not publish";
const WRONG_ALGORITHM = "The token is signed with an algorithm that is not accepted";

/** What is wrong with a token, by the code of jose's error. Other errors are not the token's fault. */
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
  const fetchFn = (url: string | URL, init?: RequestInit): Promise<Response> =>
    fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
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
