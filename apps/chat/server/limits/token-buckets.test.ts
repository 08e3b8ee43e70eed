import { expect, test } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

test("a client can spend a minute's worth at once, and then at an even rate", () => {
  let now = 0;
  const buckets = new TokenBuckets(60, () => now);
  for (let taken = 0; taken < 60; taken++) expect(buckets.take("a").outcome).toBe("taken");
  expect(buckets.take("a")).toEqual({ outcome: "empty", seconds: 1 });
  expect(buckets.take("b").outcome).toBe("taken");
  now += 900;
  expect(buckets.take("a").outcome).toBe("empty");
  now += 100;
  expect(buckets.take("a").outcome).toBe("taken");
  expect(buckets.take("a").outcome).toBe("empty");
  now += 3_600_000;
  for (let taken = 0; taken < 60; taken++) expect(buckets.take("a").outcome).toBe("taken");
  expect(buckets.take("a").outcome).toBe("empty");
});

test("the wait is rounded up to whole seconds", () => {
  let now = 0;
  const buckets = new TokenBuckets(1, () => now);
  buckets.take("a");
  expect(buckets.take("a")).toEqual({ outcome: "empty", seconds: 60 });
  now += 59_500;
  expect(buckets.take("a")).toEqual({ outcome: "empty", seconds: 1 });
});

test("fifty thousand clients take no more memory than ten thousand", () => {
  const buckets = new TokenBuckets(10);
  for (let client = 0; client < 50_000; client++) buckets.take(`client ${client}`);
  expect(buckets.clients).toBe(10_000);
});
