import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { AppEvent } from "../../shared/api.ts";
import type { Services } from "../services.ts";

/** Tells open pages what changed, as server-sent events. */
export function eventRoutes({ events }: Services): Hono {
  const app = new Hono();
  app.get("/events", (c) =>
    streamSSE(c, async (stream) => {
      const waiting: AppEvent[] = [];
      let wake = (): void => {};
      const unsubscribe = events.subscribe((event) => {
        // A page that does not read needs to know only once that something changed.
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
        await stream.write(": open\n\n");
        while (!stream.aborted && !stream.closed && !events.signal.aborted) {
          for (const event of waiting.splice(0)) await stream.writeSSE({ data: JSON.stringify(event) });
          if (waiting.length > 0) continue;
          const timer = setTimeout(() => wake(), KEEP_ALIVE);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          clearTimeout(timer);
          if (waiting.length === 0) await stream.write(": still here\n\n");
        }
      } finally {
        unsubscribe();
        events.signal.removeEventListener("abort", end);
      }
    }),
  );
  return app;
}

const KEEP_ALIVE = 20_000;
const LONGEST_QUEUE = 100;
