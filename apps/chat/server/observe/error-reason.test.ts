import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openMemory } from "../testing/memory-database.ts";
import { placesOf, reasonOf } from "./error-reason.ts";

test("the reason of a failed query contains none of its values", async () => {
  const { queries, close } = await openMemory();
  const error = await queries
    .execute(sql`SELECT ${"private words\n    at home"} FROM nowhere`)
    .catch((failure: unknown) => failure);
  await close();
  expect(String(error)).toContain("private words");
  expect(reasonOf(error)).toBe('relation "nowhere" does not exist');
  expect(placesOf(error).length).toBeGreaterThan(0);
  expect(placesOf(error).join("\n")).not.toMatch(/private words|at home/);
});
