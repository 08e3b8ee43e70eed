import type { Context, Env } from "hono";
import { ApiFailure } from "../http/api-failure.ts";
import type { Services } from "../services.ts";

export function isAdmin({ admin }: Services, c: Context<Env>): boolean {
  return admin.accepts(c.req.header("authorization"));
}

export function demandAdmin(services: Services, c: Context<Env>): void {
  if (isAdmin(services, c)) return;
  const message =
    c.req.header("authorization") === undefined
      ? "This needs the admin token, as 'Authorization: Bearer TOKEN'."
      : `That is not the admin token of this server. To choose a new one, start it with ${services.config.admin.tokenEnv} set.`;
  throw new ApiFailure(401, "admin-only", message);
}
