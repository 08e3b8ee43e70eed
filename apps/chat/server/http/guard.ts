import type { MiddlewareHandler } from "hono";
import type { ServerConfig } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import { ApiFailure } from "./api-failure.ts";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"];

/** Refuses requests that come through another name (DNS rebinding), or from another site's page. */
export function guard({ host, allowedHosts }: ServerConfig): MiddlewareHandler {
  const names = new Set([...LOCAL_NAMES, ...allowedHosts.map((name) => name.toLowerCase()), host.toLowerCase()]);
  return async (c, next) => {
    const called = c.req.header("host") ?? new URL(c.req.url).host;
    if (!names.has(nameOf(`http://${called}`))) {
      throw new ApiFailure(421, "host-not-allowed", "This host name is not allowed: add it to 'server.allowed_hosts'.");
    }
    const origin = c.req.header("origin");
    const isOwn = origin === undefined || (hostOf(origin) === called.toLowerCase() && names.has(nameOf(origin)));
    if (!isOwn && !isDevelopment(origin)) {
      throw new ApiFailure(403, "origin-not-allowed", "Pages of other sites may not call this server.");
    }
    // Images and forms of other sites come without an origin. Their links to the page itself are welcome.
    const isGuarded = c.req.method !== "GET" || c.req.path.startsWith("/api/");
    if (origin === undefined && isGuarded && OTHER_SITES.has(c.req.header("sec-fetch-site") ?? "")) {
      throw new ApiFailure(403, "origin-not-allowed", "Pages of other sites may not call this server.");
    }
    if (!SAFE_METHODS.has(c.req.method) && !isBeyondForms(c.req.header())) {
      throw new ApiFailure(415, "not-json", "Requests that change something must be sent as application/json.");
    }
    await next();
  };
}

/** "same-site" includes the other ports of this machine. */
const OTHER_SITES = new Set(["cross-site", "same-site"]);

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request has what a form of another site cannot send: the browser would have to ask us first. A password of a
 * proxy (`Basic`) proves nothing, since browsers add it to every request.
 */
function isBeyondForms(headers: Readonly<Record<string, string>>): boolean {
  return isBearer(headers.authorization) || isJson(headers["content-type"]);
}

export function isBearer(authorization = ""): boolean {
  return /^bearer /i.test(authorization);
}

export function isJson(type = ""): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type);
}

/** The page's own development server hands requests on from another port of this machine. */
function isDevelopment(origin: string): boolean {
  return process.env.NODE_ENV === "development" && LOCAL_NAMES.includes(nameOf(origin));
}

/** A chat that other machines can reach needs an admin who was chosen, and names by which it is called. */
export function checkReach({ host, allowedHosts }: ServerConfig, hasToken: boolean, tokenEnv: string): void {
  if (LOCAL_HOSTS.includes(host)) return;
  if (!hasToken) {
    throw new StartError(
      `'${host}' can be reached from other machines: set ${tokenEnv} to a token for the admin first.`,
    );
  }
  if (allowedHosts.length === 0 && /^(?:0\.0\.0\.0|::|\*)$/.test(host)) {
    throw new StartError(
      `'${host}' can be reached from other machines: name the chat's hosts in 'server.allowed_hosts'.`,
    );
  }
}

/** What an operator should know of a chat that other machines can reach. */
export function reachWarnings({ host }: ServerConfig, tokenEnv: string): readonly string[] {
  if (LOCAL_HOSTS.includes(host)) return [];
  return [
    `Warning: anyone who can reach '${host}' can read, write and delete all chats and use your models. ${tokenEnv} protects only the skill switches. Let a reverse proxy with a sign-in be the only way in.`,
  ];
}

function nameOf(address: string): string {
  return URL.parse(address)?.hostname.toLowerCase() ?? "";
}

function hostOf(address: string): string {
  return URL.parse(address)?.host.toLowerCase() ?? "";
}
