import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { AppEvent } from "../../shared/api.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { AppEvents } from "../http/app-events.ts";
import type { ClientLimits } from "../limits/client-limits.ts";

export interface EventRoutesOptions {
  readonly events: AppEvents;
  readonly limits: Pick<ClientLimits, "openPage">;
}

/** Sends changes to open pages as server-sent events. */
export function eventRoutes({ events, limits }: EventRoutesOptions): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();
  app.get("/events", (c) => {
    if (events.listeners >= MOST_PAGES) {
      const message = "Too many pages are open on this server. Try again later.";
      throw new ApiFailure(503, "too-many-pages", message, { retryAfter: 30 });
    }
    const closePage = limits.openPage(c);
    const drop = (): void => void c.env?.outgoing?.destroy();
    return streamSSE(c, async (stream) => {
      const waiting: AppEvent[] = [];
      let wake = (): void => {};
      const unsubscribe = events.subscribe((event) => {
        // The queue is bounded: a page that does not read misses events, and never blocks the others.
        if (waiting.length < LONGEST_QUEUE) waiting.push(event);
        wake();
      });
      const end = (): void => {
        void stream.close();
        wake();
      };
      stream.onAbort(end);
      events.signal.addEventListener("abort", end, { once: true });
      try {
        await write(stream, ": open\n\n", drop);
        while (!stream.aborted && !stream.closed && !events.signal.aborted) {
          for (const event of waiting.splice(0)) await write(stream, `data: ${JSON.stringify(event)}\n\n`, drop);
          if (waiting.length > 0) continue;
          const timer = setTimeout(() => wake(), KEEP_ALIVE);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          clearTimeout(timer);
          if (waiting.length === 0) await write(stream, ": still here\n\n", drop);
        }
      } finally {
        unsubscribe();
        closePage();
        events.signal.removeEventListener("abort", end);
      }
    });
  });
  return app;
}

/** Drops a page that reads nothing for this long: it is gone or hostile. */
async function write(stream: SSEStreamingApi, text: string, drop: () => void): Promise<void> {
  const timer = setTimeout(() => {
    drop();
    stream.abort();
  }, LONGEST_STALL);
  await stream.write(text);
  clearTimeout(timer);
}

const KEEP_ALIVE = 20_000;
const LONGEST_QUEUE = 100;
const LONGEST_STALL = 30_000;
const MOST_PAGES = 5_000;
