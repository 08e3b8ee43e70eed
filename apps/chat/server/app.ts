import { Hono } from "hono";
import type { AppState } from "../shared/api.ts";
import { VERSION } from "./config/version.ts";
import { onFullDisk } from "./database/free-space.ts";
import { answerError, notFound } from "./http/api-failure.ts";
import { compressText } from "./http/compress-text.ts";
import { guard } from "./http/guard.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { binRoutes } from "./routes/bin-routes.ts";
import { branchRoutes } from "./routes/branch-routes.ts";
import { chatRoutes } from "./routes/chat-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { operatorRoutes } from "./routes/operator-routes.ts";
import { pageRoutes } from "./routes/page-routes.ts";
import { repairRoutes } from "./routes/repair-routes.ts";
import { scriptRoutes } from "./routes/script-routes.ts";
import { skillRoutes } from "./routes/skill-routes.ts";
import { stepRoutes } from "./routes/step-routes.ts";
import { turnRoutes } from "./routes/turn-routes.ts";
import type { Services } from "./services.ts";

/** Creates the Hono app; `start.ts` serves it. */
export function createApp(services: Services): Hono {
  const { admin, attachments, config, limits, metrics, models, skills, webRoot } = services;
  const app = new Hono();
  app.onError((error, c) => answerError(error, c, services));
  app.use(async (c, next) => {
    await next();
    metrics.count("chat_http_requests_total", { method: c.req.method, status: String(c.res.status) });
  });
  app.use(securityHeaders);
  app.use(compressText);
  app.use(guard(config.server, services.log));
  app.use(limits.requests);
  app.delete("/api/*", (_, next) => onFullDisk(next));

  app.get("/api/state", (c) => {
    const state: AppState = {
      version: VERSION,
      isAdmin: admin.isAdmin(c),
      adminTokenEnv: config.admin.tokenEnv,
      hasSkills: skills !== undefined,
      models: models.list,
      defaultModelId: models.defaultId,
      binDays: config.database.binDays,
      ...(attachments && {
        attachments: { maxFiles: attachments.config.maxFiles, maxBytes: attachments.config.maxBytes },
      }),
    };
    return c.json(state);
  });
  app.route("/api/chats", chatRoutes(services));
  app.route("/api/chats", turnRoutes(services));
  app.route("/api/chats", scriptRoutes(services));
  app.route("/api/chats", stepRoutes(services));
  app.route("/api/files", fileRoutes(services));
  app.route("/api/bin", binRoutes(services));
  app.route("/api/chats", branchRoutes(services));
  app.route("/api", skillRoutes(services));
  app.route("/api", repairRoutes(services));
  app.route("/api", eventRoutes(services));
  app.all("/api/*", () => {
    throw notFound("Address");
  });
  app.route("/", operatorRoutes(services));
  app.route("/", pageRoutes(webRoot));
  return app;
}
