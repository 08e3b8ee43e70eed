import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import type { LimitsConfig } from "../config/config.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { ClientAddress } from "../http/client-address.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Rate and concurrency limits per client. */
export class ClientLimits {
  readonly #clientOf: ClientAddress;
  readonly #requests: TokenBuckets;
  readonly #answers: TokenBuckets;
  readonly #openRequests: OpenCounts;
  readonly #openAnswers: OpenCounts;
  readonly #pages: OpenCounts;
  readonly #readers: OpenCounts;
  /** A copy of a large chat keeps the database busy for a while, and takes as much space. */
  readonly #forks = new TokenBuckets(FORKS_PER_MINUTE);
  readonly #openForks = new OpenCounts(1);
  readonly #unread = new OpenCounts(MOST_UNREAD);

  constructor(limits: LimitsConfig, clientOf: ClientAddress) {
    this.#clientOf = clientOf;
    this.#openRequests = new OpenCounts(limits.requestsPerClient);
    this.#openAnswers = new OpenCounts(limits.answersPerClient);
    this.#pages = new OpenCounts(limits.pagesPerClient);
    this.#readers = new OpenCounts(limits.pagesPerClient);
    this.#requests = new TokenBuckets(limits.requestsPerMinute);
    this.#answers = new TokenBuckets(limits.answersPerMinute);
  }

  /** Applies to every request except health checks. */
  get requests(): MiddlewareHandler {
    return async (c, next) => {
      if (PROBES.has(c.req.path)) return next();
      const client = this.#clientOf(c);
      demand(this.#requests, client, "requests");
      if (STREAMS.test(c.req.path)) return next();
      const close = this.#openRequests.open(client, (open) => {
        const message = `You have ${open} open requests. Read their responses first.`;
        return new ApiFailure(429, "too-many-requests", message, { retryAfter: 1 });
      });
      // An unread response stays in memory until its connection closes.
      const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
      if (outgoing === undefined) await next().finally(close);
      else {
        outgoing.once("close", close);
        await next();
      }
    };
  }

  /** Call it before starting an answer. */
  takeAnswer(c: Context): void {
    demand(this.#answers, this.#clientOf(c), "messages");
  }

  /** Call it before copying a chat. Returns a function to call when it is copied. */
  openFork(c: Context): () => void {
    const client = this.#clientOf(c);
    const close = this.#openForks.open(client, () => {
      return new ApiFailure(429, "too-many-requests", "A chat is being copied already. Wait for it.", {
        retryAfter: 1,
      });
    });
    try {
      demand(this.#forks, client, "copies");
    } catch (error) {
      close();
      throw error;
    }
    return close;
  }

  /** Counts a running answer. Returns a function to call when it ends. */
  openAnswer(c: Context): () => void {
    return this.#openAnswers.open(this.#clientOf(c), (open) => {
      const message = `You have ${open} running answers. Wait for one to finish, or stop one.`;
      return new ApiFailure(429, "too-many-answers", message, { retryAfter: 5 });
    });
  }

  /** Counts the length of a large response until its client has read it: it stays in memory until then. */
  holdResponse(c: Context, length: number): void {
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    if (outgoing === undefined || outgoing.closed) return;
    const refuse = (): ApiFailure => {
      const message = "You have large responses that are not read yet. Read them first.";
      return new ApiFailure(429, "too-many-requests", message, { retryAfter: 1 });
    };
    outgoing.once("close", this.#unread.open(this.#clientOf(c), refuse, length));
  }

  /** Counts a page that listens for events. Returns a function to call when it stops. */
  openPage(c: Context): () => void {
    return this.#pages.open(this.#clientOf(c), (open) => {
      const message = `You have ${open} open pages, the limit per client. Close some of them.`;
      return new ApiFailure(429, "too-many-pages", message, { retryAfter: 30 });
    });
  }

  /** Counts a page that joined a running answer. Returns a function to call when it stops. */
  openReader(c: Context): () => void {
    return this.#readers.open(this.#clientOf(c), (open) => {
      const message = `You are reading ${open} answers, the limit per client. Close some pages.`;
      return new ApiFailure(429, "too-many-pages", message, { retryAfter: 30 });
    });
  }
}

const FORKS_PER_MINUTE = 20;
/** Characters. Two of the largest chats. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Counts what each client has open. */
class OpenCounts {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Increments the count, or throws at the limit. The returned function decrements it once. */
  open(client: string, refuse: (open: number) => ApiFailure, by = 1): () => void {
    const open = this.#open.get(client) ?? 0;
    // One response that is larger than the limit is still sent.
    if (open > 0 && open + by > this.#most) throw refuse(open);
    this.#open.set(client, open + by);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#open.get(client) ?? by) - by;
      if (left <= 0) this.#open.delete(client);
      else this.#open.set(client, left);
    };
  }
}

/** These requests stay open for long and have separate limits. */
const STREAMS = /^\/api\/(events$|chats\/[^/]+\/(turn|answer)$)/;

const PROBES = new Set(["/healthz", "/readyz"]);

function demand(buckets: TokenBuckets, client: string, what: string): void {
  const taken = buckets.take(client);
  if (taken.outcome === "taken") return;
  const { seconds } = taken;
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  throw new ApiFailure(429, "too-many-requests", `Too many ${what}. Try again in ${wait}.`, { retryAfter: seconds });
}
