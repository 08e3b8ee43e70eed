import { sql } from "drizzle-orm";
import { Hono } from "hono";
import type { Services } from "../services.ts";

/** Whether the process lives, whether it can answer, and what it has done. */
export function operatorRoutes({ database, events, metrics }: Services): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.text("ok\n"));
  app.get("/readyz", async (c) => {
    if (events.signal.aborted) return c.text("ending\n", 503);
    try {
      await database.queries.execute(sql`SELECT 1`);
      return c.text("ready\n");
    } catch {
      return c.text("the database does not answer\n", 503);
    }
  });
  app.get("/metrics", (c) =>
    c.text(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
  return app;
}
