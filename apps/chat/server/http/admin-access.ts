import type { Context, Env } from "hono";
import type { Fields } from "../observe/log.ts";
import type { Services } from "../services.ts";
import { ApiFailure } from "./api-failure.ts";
import { isBearer } from "./guard.ts";

export function isAdmin({ admin, limits, log }: Services, c: Context<Env>): boolean {
  const given = c.req.header("authorization");
  const isAccepted = admin.accepts(given);
  // Somebody may be guessing.
  if (isBearer(given) && !isAccepted) log.warn("admin-refused", { client: limits.clientOf(c) });
  return isAccepted;
}

/** Says in the log what an admin did, and from where: there is one token, so the address is what tells admins apart. */
export function audit({ limits, log }: Services, c: Context<Env>, action: string, fields: Fields = {}): void {
  log.info("admin-action", { action, client: limits.clientOf(c), ...fields });
}

export function demandAdmin(services: Services, c: Context<Env>): void {
  if (isAdmin(services, c)) return;
  const message =
    c.req.header("authorization") === undefined
      ? "This needs the admin token, as 'Authorization: Bearer TOKEN'."
      : `That is not the admin token of this server. To choose a new one, start it with ${services.config.admin.tokenEnv} set.`;
  throw new ApiFailure(401, "admin-only", message);
}
