import { createHash, timingSafeEqual } from "node:crypto";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../core/base/errors.ts";
import type { OAuthGate } from "./require-oauth.ts";
import type { FetchServer } from "./to-node-handler.ts";

interface AuthorizeOptions {
  readonly host: string;
  /** The token of all clients, or what decides about the token of each. */
  readonly tokens: string | OAuthGate;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
}

/** Checks the Host, the Origin, the path and the token, one by one, before anything is read. */
export function authorize(server: FetchServer, options: AuthorizeOptions): FetchServer["fetch"] {
  const hosts = allowedHosts(options);
  const origins = options.allowedOrigins === undefined ? hosts : hostNames("allowedOrigins", options.allowedOrigins);
  const { describe, admit } = typeof options.tokens === "string" ? tokenGate(options.tokens) : options.tokens;
  return async (request) => {
    const refused = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins);
    if (refused !== undefined) return refused;
    const described = describe?.(request);
    if (described !== undefined) return described;
    if (new URL(request.url).pathname !== "/mcp") return refuse(404, "Not found. The MCP endpoint is /mcp.");
    const caller = await admit(request);
    if (caller instanceof Response) return caller;
    return server.fetch(request, caller && { authInfo: caller });
  };
}

/** All clients have the same token, so it does not identify the caller. */
function tokenGate(token: string) {
  const expected = digest(token);
  return {
    describe: undefined,
    admit: async (request: Request): Promise<Response | undefined> => {
      const [, given = ""] = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
      if (timingSafeEqual(digest(given), expected)) return undefined;
      return refuse(401, "The bearer token is missing or wrong.", { "www-authenticate": "Bearer" });
    },
  };
}

function allowedHosts({ host, allowedHosts: given }: AuthorizeOptions): string[] {
  const local = localhostAllowedHostnames();
  const isLocal = local.includes(host) || local.includes(`[${host}]`);
  if (given === undefined && !isLocal) {
    const message = `'${host}' is reachable from other machines. Set 'allowedHosts' to the host names that clients use.`;
    throw new SkillError("option-invalid", message);
  }
  return [...hostNames("allowedHosts", given ?? []), ...(isLocal ? local : [])];
}

/** Normalizes host names to the form that browsers and clients send: lower case, without a port. */
function hostNames(option: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const url = URL.parse(`http://${name.includes("::") && !name.startsWith("[") ? `[${name}]` : name}`);
    if (url?.pathname === "/" && url.port === "" && url.username === "" && !/[:/]\d*$/.test(name.replace(/\]$/, "")))
      return url.hostname;
    throw new SkillError(
      "option-invalid",
      `'${option}' must contain host names without scheme or port; got '${name}'.`,
    );
  });
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status, headers });
}

/** Hashed first, so that the comparison takes constant time for any length. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
