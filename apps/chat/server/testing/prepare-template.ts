import { findTemplate } from "./memory-database.ts";

/** Makes the database that tests start from once, before several workers need it at the same time. */
export async function setup(): Promise<void> {
  await findTemplate();
}
