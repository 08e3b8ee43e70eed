import { findTemplate } from "./memory-database.ts";

/** Creates the database template once, before several workers need it at the same time. */
export async function setup(): Promise<void> {
  await findTemplate();
}
