import type { Context, Env } from "hono";
import type { Fields, Log } from "../observe/log.ts";
import type { AdminToken } from "./admin-token.ts";
import { ApiFailure } from "./api-failure.ts";
import type { ClientAddress } from "./client-address.ts";
import { isBearer } from "./guard.ts";

export interface AdminAccessOptions {
  readonly token: AdminToken;
  /** The environment variable that sets the token. */
  readonly tokenEnv: string;
  readonly clientOf: ClientAddress;
  readonly log: Log;
}

/** Recognizes requests from admins and logs their actions. */
export class AdminAccess {
  readonly #options: AdminAccessOptions;

  constructor(options: AdminAccessOptions) {
    this.#options = options;
  }

  isAdmin(c: Context<Env>): boolean {
    const { token, clientOf, log } = this.#options;
    const given = c.req.header("authorization");
    const isAccepted = token.accepts(given);
    // Logged, because it may be an attempt to guess the token.
    if (isBearer(given) && !isAccepted) log.warn("admin-refused", { client: clientOf(c) });
    return isAccepted;
  }

  demandAdmin(c: Context<Env>): void {
    if (this.isAdmin(c)) return;
    const message =
      c.req.header("authorization") === undefined
        ? "This requires the admin token. Send it as 'Authorization: Bearer TOKEN'."
        : `Wrong admin token. To set a new one, restart the server with ${this.#options.tokenEnv}.`;
    throw new ApiFailure(401, "admin-only", message);
  }

  /** Logs an admin's action with the client's address: all admins share one token, so only the address differs. */
  audit(c: Context<Env>, action: string, fields: Fields = {}): void {
    const { clientOf, log } = this.#options;
    log.info("admin-action", { action, client: clientOf(c), ...fields });
  }
}
