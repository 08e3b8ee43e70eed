import type { MiddlewareHandler } from "hono";
import type { ServerConfig } from "../config/config.ts";
import { StartError } from "../config/start-error.ts";
import type { Log } from "../observe/log.ts";
import { ApiFailure } from "./api-failure.ts";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "::1"];

/** Refuses requests with an unknown host name (DNS rebinding) or from pages of other sites. */
export function guard(config: ServerConfig, log: Pick<Log, "warn">): MiddlewareHandler {
  const { host, allowedHosts } = config;
  let isTold = false;
  // In a URL, an IPv6 address has brackets.
  const own = [host, `[${host}]`, ...allowedHosts];
  const names = new Set([...LOCAL_NAMES, ...own.map((name) => name.toLowerCase())]);
  return async (c, next) => {
    const called = c.req.header("host") ?? new URL(c.req.url).host;
    if (!names.has(nameOf(`http://${called}`))) {
      throw new ApiFailure(
        421,
        "host-not-allowed",
        "This host name is not allowed. Add it to 'server.allowed_hosts' in the settings.",
      );
    }
    if (isPrivate(config) && PROXY_HEADERS.some((name) => c.req.header(name) !== undefined)) {
      if (!isTold) log.warn("proxy-not-named", { reason: BEHIND_PROXY });
      isTold = true;
      throw new ApiFailure(421, "proxy-not-named", BEHIND_PROXY);
    }
    const origin = c.req.header("origin");
    const isOwn = origin === undefined || (hostOf(origin) === called.toLowerCase() && names.has(nameOf(origin)));
    if (!isOwn && !isDevelopment(origin)) {
      throw new ApiFailure(403, "origin-not-allowed", "Requests from pages of other sites are not allowed.");
    }
    // Images and forms on other sites send no origin. Links from other sites to the page are allowed.
    const isGuarded = c.req.method !== "GET" || c.req.path.startsWith("/api/");
    if (origin === undefined && isGuarded && OTHER_SITES.has(c.req.header("sec-fetch-site") ?? "")) {
      throw new ApiFailure(403, "origin-not-allowed", "Requests from pages of other sites are not allowed.");
    }
    if (!SAFE_METHODS.has(c.req.method) && !isBeyondForms(c.req.header())) {
      throw new ApiFailure(415, "not-json", "Requests that change data require the content type application/json.");
    }
    await next();
  };
}

/**
 * Whether the settings say that only people on this machine use the chat: they may then run scripts. A proxy on this
 * machine would make everybody look like one of them.
 */
function isPrivate({ host, allowedHosts, trustedProxies }: ServerConfig): boolean {
  return isLocalHost(host) && allowedHosts.length === 0 && trustedProxies.length === 0;
}

const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-host", "forwarded"];
const BEHIND_PROXY =
  "The request came through a reverse proxy, which the settings do not name. Set 'server.allowed_hosts' to the host names in users' browsers, and 'server.trusted_proxies' to the proxy's address.";

/** "same-site" includes other ports of this machine. */
const OTHER_SITES = new Set(["cross-site", "same-site"]);

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request has headers that a form on another site cannot send without a CORS preflight. A proxy's password
 * (`Basic`) proves nothing, because browsers add it to every request.
 */
function isBeyondForms(headers: Readonly<Record<string, string>>): boolean {
  return isBearer(headers.authorization) || isJson(headers["content-type"]) || isBytes(headers["content-type"]);
}

export function isBearer(authorization = ""): boolean {
  return /^bearer /i.test(authorization);
}

export function isJson(type = ""): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type);
}

/** The content of an uploaded file. Forms cannot send this type. */
export function isBytes(type = ""): boolean {
  return /^application\/octet-stream$/i.test(type);
}

/** Vite's development server proxies requests from another port of this machine. */
function isDevelopment(origin: string): boolean {
  return process.env.NODE_ENV === "development" && LOCAL_NAMES.includes(nameOf(origin));
}

/** Whether only this machine can reach a server that listens on the host. */
export function isLocalHost(host: string): boolean {
  return LOCAL_HOSTS.includes(host);
}

/** A chat that other machines can reach requires an admin token, and on all addresses also allowed host names. */
export function checkReach({ host, allowedHosts }: ServerConfig, hasToken: boolean, tokenEnv: string): void {
  if (isLocalHost(host)) return;
  if (!hasToken) {
    throw new StartError(`Other machines can reach '${host}'. Set ${tokenEnv} to an admin token first.`);
  }
  if (allowedHosts.length === 0 && /^(?:0\.0\.0\.0|::|\*)$/.test(host)) {
    throw new StartError(`Other machines can reach '${host}'. Add the chat's host names to 'server.allowed_hosts'.`);
  }
}

/** A warning for operators of a chat that other machines can reach. */
export function reachWarnings({ host }: ServerConfig, tokenEnv: string): readonly string[] {
  if (isLocalHost(host)) return [];
  return [
    `Warning: anyone who can reach '${host}' can read, write and delete all chats and use your models. ${tokenEnv} protects only the management of skills. Allow access only through a reverse proxy with authentication.`,
  ];
}

function nameOf(address: string): string {
  return URL.parse(address)?.hostname.toLowerCase() ?? "";
}

function hostOf(address: string): string {
  return URL.parse(address)?.host.toLowerCase() ?? "";
}
