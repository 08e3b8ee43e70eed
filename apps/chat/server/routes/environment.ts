import type { Context, Env } from "hono";
import { ApiFailure } from "../http/api-failure.ts";
import type { Services } from "../services.ts";

export function isAdmin({ admin }: Services, c: Context<Env>): boolean {
  return admin.accepts(c.req.header("authorization"));
}

export function demandAdmin(services: Services, c: Context<Env>): void {
  if (isAdmin(services, c)) return;
  throw new ApiFailure(401, "admin-only", "This needs the admin token, as 'Authorization: Bearer TOKEN'.");
}
