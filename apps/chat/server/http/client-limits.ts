import type { Context, MiddlewareHandler } from "hono";
import type { Config } from "../config.ts";
import { ApiFailure } from "./api-failure.ts";
import { type ClientAddress, createClientAddress } from "./client-address.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** What one client may take of the server, so that there is something left for the others. */
export class ClientLimits {
  readonly clientOf: ClientAddress;
  readonly #pagesPerClient: number;
  readonly #requests: TokenBuckets;
  readonly #answers: TokenBuckets;
  readonly #pages = new Map<string, number>();

  constructor({ server, limits }: Pick<Config, "server" | "limits">) {
    this.clientOf = createClientAddress(server.trustedProxies);
    this.#pagesPerClient = limits.pagesPerClient;
    this.#requests = new TokenBuckets(limits.requestsPerMinute);
    this.#answers = new TokenBuckets(limits.answersPerMinute);
  }

  /** For every request but those that ask whether the server lives. */
  get requests(): MiddlewareHandler {
    return async (c, next) => {
      if (!PROBES.has(c.req.path)) demand(this.#requests, this.clientOf(c), "requests");
      await next();
    };
  }

  /** To be called before an answer is begun. */
  takeAnswer(c: Context): void {
    demand(this.#answers, this.clientOf(c), "messages");
  }

  /** Counts a page that listens for events; gives what to call when it does no more. */
  openPage(c: Context): () => void {
    const client = this.clientOf(c);
    const open = this.#pages.get(client) ?? 0;
    if (open >= this.#pagesPerClient) {
      const message = `Too many pages of this chat are open: close some of the ${open}.`;
      throw new ApiFailure(429, "too-many-pages", message, { retryAfter: 30 });
    }
    this.#pages.set(client, open + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#pages.get(client) ?? 1) - 1;
      if (left === 0) this.#pages.delete(client);
      else this.#pages.set(client, left);
    };
  }
}

const PROBES = new Set(["/healthz", "/readyz"]);

function demand(buckets: TokenBuckets, client: string, what: string): void {
  const taken = buckets.take(client);
  if (taken.outcome === "taken") return;
  const { seconds } = taken;
  const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
  throw new ApiFailure(429, "too-many-requests", `Too many ${what}: try again in ${wait}.`, { retryAfter: seconds });
}
