import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { LimitsConfig } from "../config/config.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { ClientAddress } from "../http/client-address.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** What one client may take of the server, so that there is something left for the others. */
export class ClientLimits {
  readonly #clientOf: ClientAddress;
  readonly #requests: TokenBuckets;
  readonly #answers: TokenBuckets;
  readonly #openRequests: OpenCounts;
  readonly #openAnswers: OpenCounts;
  readonly #pages: OpenCounts;

  constructor(limits: LimitsConfig, clientOf: ClientAddress) {
    this.#clientOf = clientOf;
    this.#openRequests = new OpenCounts(limits.requestsPerClient);
    this.#openAnswers = new OpenCounts(limits.answersPerClient);
    this.#pages = new OpenCounts(limits.pagesPerClient);
    this.#requests = new TokenBuckets(limits.requestsPerMinute);
    this.#answers = new TokenBuckets(limits.answersPerMinute);
  }

  /** For every request but those that ask whether the server lives. */
  get requests(): MiddlewareHandler {
    return async (c, next) => {
      if (PROBES.has(c.req.path)) return next();
      const client = this.#clientOf(c);
      demand(this.#requests, client, "requests");
      if (STREAMS.test(c.req.path)) return next();
      const close = this.#openRequests.open(client, (open) => {
        const message = `${open} of your requests are open. Read their responses first.`;
        return new ApiFailure(429, "too-many-requests", message, { retryAfter: 1 });
      });
      // A response that nobody reads is kept in memory until its connection ends.
      const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
      if (outgoing === undefined) await next().finally(close);
      else {
        outgoing.once("close", close);
        await next();
      }
    };
  }

  /** To be called before an answer is begun. */
  takeAnswer(c: Context): void {
    demand(this.#answers, this.#clientOf(c), "messages");
  }

  /** Counts an answer under way; returns what to call when it has ended. */
  openAnswer(c: Context): () => void {
    return this.#openAnswers.open(this.#clientOf(c), (open) => {
      const message = `${open} of your answers are in progress. Wait for one to end, or stop one.`;
      return new ApiFailure(429, "too-many-answers", message, { retryAfter: 5 });
    });
  }

  /** Counts a page that listens for events; returns what to call when it does no more. */
  openPage(c: Context): () => void {
    return this.#pages.open(this.#clientOf(c), (open) => {
      const message = `Too many pages of this chat are open: close some of the ${open}.`;
      return new ApiFailure(429, "too-many-pages", message, { retryAfter: 30 });
    });
  }
}

/** How many things each client has open. */
class OpenCounts {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more, or throws; what is returned counts it down again, once. */
  open(client: string, refuse: (open: number) => ApiFailure): () => void {
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most) throw refuse(open);
    this.#open.set(client, open + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#open.get(client) ?? 1) - 1;
      if (left === 0) this.#open.delete(client);
      else this.#open.set(client, left);
    };
  }
}

/** They have limits of their own, and stay open for long. */
const STREAMS = /^\/api\/(events$|chats\/[^/]+\/turn$)/;

const PROBES = new Set(["/healthz", "/readyz"]);

function demand(buckets: TokenBuckets, client: string, what: string): void {
  const taken = buckets.take(client);
  if (taken.outcome === "taken") return;
  const { seconds } = taken;
  const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
  throw new ApiFailure(429, "too-many-requests", `Too many ${what}: try again in ${wait}.`, { retryAfter: seconds });
}
