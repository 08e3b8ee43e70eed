import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type MiddlewareHandler } from "hono";

/** Serves the built page: its files, and index.html for every other path. */
export function pageRoutes(webRoot: string): Hono {
  const app = new Hono();
  // Asset names contain a content hash.
  app.use("/assets/*", async (c, next) => {
    await next();
    if (c.res.ok) c.res.headers.set("cache-control", "public, max-age=31536000, immutable");
  });
  let serve: MiddlewareHandler | undefined;
  app.use("*", async (c, next) => {
    // The page may be built while the server is running.
    if (existsSync(webRoot)) serve ??= serveStatic({ root: webRoot, precompressed: true });
    return serve === undefined ? next() : serve(c, next);
  });
  app.get("/assets/*", (c) => c.text("File not found.\n", 404));
  app.get("*", async (c) => {
    c.header("cache-control", "no-cache");
    try {
      return c.html(await readFile(join(webRoot, "index.html"), "utf8"));
    } catch {
      return c.html(NOT_BUILT, 503);
    }
  });
  return app;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>The page is not built</title>
<h1>The page is not built</h1>
<p>The server is running, but the page is not built. Run <code>npm run build --workspace apps/chat</code> in the project, then reload.</p>
</html>
`;
