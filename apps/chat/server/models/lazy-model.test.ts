import { expect, test } from "vitest";
import { lazyModel } from "./lazy-model.ts";

test("a provider that cannot be loaded fails the request, and nothing else", async () => {
  const load = () => Promise.reject(new Error("The package is missing."));
  const model = lazyModel({ provider: "p", modelId: "m", key: undefined, load });
  // Read by middleware, and never awaited. An unhandled rejection would end the server.
  expect(model.supportedUrls).toBeInstanceOf(Promise);
  await expect(model.doStream({ prompt: [] })).rejects.toThrow("The package is missing.");
});
