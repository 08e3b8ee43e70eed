import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Queries } from "../database/database.ts";
import { settings } from "../database/schema.ts";
import { StartError } from "../start-error.ts";

export interface AdminToken {
  /** Whether these are the words of an admin: the value of an `Authorization` header. */
  accepts(authorization: string | undefined): boolean;
  /** The token itself, when it was made just now; it is not stored, so nobody can be told again. */
  readonly fresh?: string;
}

/** The token from the environment, or the one whose hash is stored, or a new one. */
export async function openAdminToken(queries: Queries, given: string | undefined): Promise<AdminToken> {
  if (given !== undefined && given !== "") {
    if (given.length < SHORTEST) throw new StartError(`The admin token must have at least ${SHORTEST} characters.`);
    return acceptor(hash(given));
  }
  const token = randomBytes(24).toString("base64url");
  const made = { key: KEY, value: hash(token).toString("hex") };
  const inserted = await queries.insert(settings).values(made).onConflictDoNothing().returning();
  if (inserted.length > 0) return { ...acceptor(hash(token)), fresh: token };
  const [stored] = await queries.select().from(settings).where(eq(settings.key, KEY));
  return acceptor(Buffer.from(stored?.value ?? "", "hex"));
}

const KEY = "admin_token_sha256";
const SHORTEST = 16;

function acceptor(expected: Buffer): AdminToken {
  return {
    accepts: (authorization = "") => {
      const [scheme = "", token = ""] = authorization.split(" ");
      // Hashes are as long as each other, so the comparison tells nothing by its time.
      return scheme.toLowerCase() === "bearer" && timingSafeEqual(hash(token), expected);
    },
  };
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
