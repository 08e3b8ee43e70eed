import { expect, test } from "vitest";
import { keepTrying } from "./keep-trying.ts";

test("S19: retries end after the maximum number of attempts, with the last error", async () => {
  let tries = 0;
  const work = async (): Promise<never> => {
    tries++;
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  };
  const { signal } = new AbortController();
  await expect(keepTrying(work, { signal, attempts: 1 })).rejects.toThrow("full");
  expect(tries).toBe(2);
});
