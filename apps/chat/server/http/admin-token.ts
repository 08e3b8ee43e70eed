import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { StartError } from "../config/start-error.ts";
import type { Queries } from "../database/database.ts";
import { settings } from "../database/schema.ts";

export interface AdminToken {
  /** Whether the value of an `Authorization` header contains the admin token. */
  accepts(authorization: string | undefined): boolean;
  /**
   * Creates the first token if there is none. Show it at once: only its hash is stored. Call this after the server
   * listens, so that a failed start does not create a token that no one has seen.
   */
  makeFirst(): Promise<string | undefined>;
}

/** Uses the token from the environment, or the stored hash, or none yet. */
export async function openAdminToken(queries: Queries, given: string | undefined): Promise<AdminToken> {
  let expected = given ? hash(checked(given)) : await readHash(queries);
  return {
    accepts: (authorization = "") => {
      const [scheme = "", token = ""] = authorization.split(" ");
      // Comparing hashes of equal length leaks nothing through timing.
      return expected !== undefined && scheme.toLowerCase() === "bearer" && timingSafeEqual(hash(token), expected);
    },
    makeFirst: async () => {
      if (expected !== undefined) return undefined;
      const token = randomBytes(24).toString("base64url");
      const made = { key: KEY, value: hash(token).toString("hex") };
      const inserted = await queries.insert(settings).values(made).onConflictDoNothing().returning();
      // Another server on the same database may have stored its token first.
      expected = await readHash(queries);
      return inserted.length > 0 ? token : undefined;
    },
  };
}

const KEY = "admin_token_sha256";
const SHORTEST = 16;

function checked(given: string): string {
  if (given.length >= SHORTEST) return given;
  throw new StartError(`The admin token must have at least ${SHORTEST} characters.`);
}

async function readHash(queries: Queries): Promise<Buffer | undefined> {
  const [stored] = await queries.select().from(settings).where(eq(settings.key, KEY));
  return stored && Buffer.from(stored.value, "hex");
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
