import { sql } from "drizzle-orm";
import { Hono } from "hono";
import type { Database } from "../database/database.ts";
import type { AppEvents } from "../http/app-events.ts";
import type { Metrics } from "../observe/metrics.ts";

export interface OperatorRoutesOptions {
  readonly database: Pick<Database, "canWrite" | "queries">;
  readonly events: Pick<AppEvents, "signal">;
  readonly metrics: Pick<Metrics, "text">;
}

/** Liveness, readiness and metrics. */
export function operatorRoutes({ database, events, metrics }: OperatorRoutesOptions): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.text("ok\n"));
  app.get("/readyz", async (c) => {
    if (events.signal.aborted) return c.text("ending\n", 503);
    try {
      await database.queries.execute(sql`SELECT 1`);
    } catch {
      return c.text("the database is not responding\n", 503);
    }
    if (!database.canWrite()) return c.text("the disk is nearly full: only reading and deleting work\n", 503);
    return c.text("ready\n");
  });
  app.get("/metrics", (c) =>
    c.text(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
  return app;
}
