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

/** Which requests come from an admin, and a record of what admins did. */
export class AdminAccess {
  readonly #options: AdminAccessOptions;

  constructor(options: AdminAccessOptions) {
    this.#options = options;
  }

  isAdmin(c: Context<Env>): boolean {
    const { token, clientOf, log } = this.#options;
    const given = c.req.header("authorization");
    const isAccepted = token.accepts(given);
    // Somebody may be guessing.
    if (isBearer(given) && !isAccepted) log.warn("admin-refused", { client: clientOf(c) });
    return isAccepted;
  }

  demandAdmin(c: Context<Env>): void {
    if (this.isAdmin(c)) return;
    const message =
      c.req.header("authorization") === undefined
        ? "This needs the admin token, as 'Authorization: Bearer TOKEN'."
        : `That is not the admin token of this server. To choose a new one, start it with ${this.#options.tokenEnv} set.`;
    throw new ApiFailure(401, "admin-only", message);
  }

  /** Logs what an admin did and from which address: all admins share one token, so only the address differs. */
  audit(c: Context<Env>, action: string, fields: Fields = {}): void {
    const { clientOf, log } = this.#options;
    log.info("admin-action", { action, client: clientOf(c), ...fields });
  }
}
