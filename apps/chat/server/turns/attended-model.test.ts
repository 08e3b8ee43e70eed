import { APICallError } from "ai";
import { expect, test } from "vitest";
import type { ModelRetry } from "../../shared/api.ts";
import type { ProviderModel } from "../models/lazy-model.ts";
import { attendedModel } from "./attended-model.ts";

type StreamResult = Awaited<ReturnType<ProviderModel["doStream"]>>;
type Part = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

/** A model that refuses requests with these headers, one after the other, and then sends the parts. */
function modelOf(refusals: readonly Record<string, string>[], parts: readonly Part[] = []) {
  let requests = 0;
  const model = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: async () => {
      const responseHeaders = refusals[requests++];
      if (responseHeaders === undefined) return { stream: ReadableStream.from(parts) };
      throw new APICallError({
        message: "Slow down.",
        url: "",
        requestBodyValues: {},
        statusCode: 429,
        responseHeaders,
        isRetryable: true,
      });
    },
  } as unknown as ProviderModel;
  return { model, requests: () => requests };
}

const retries: (ModelRetry | null)[] = [];
const attend = (model: ProviderModel) =>
  attendedModel(model, { idleSeconds: 5, onRetry: (retry) => retries.push(retry) }).doStream({ prompt: [] });

test("a refused request is repeated when the server says so", async () => {
  retries.length = 0;
  const { model, requests } = modelOf([{ "retry-after-ms": "20" }, { "retry-after": "0" }]);
  await attend(model);
  expect(requests()).toBe(3);
  expect(retries.map((retry) => retry?.attempt)).toEqual([2, undefined, 3, undefined]);
});

test("a server that asks for more than a minute is not asked again", async () => {
  retries.length = 0;
  const { model, requests } = modelOf([{ "retry-after": "61" }]);
  await expect(attend(model)).rejects.toThrow("Slow down.");
  expect(requests()).toBe(1);
  expect(retries).toEqual([]);
});

test("deltas of one part that come at once are joined, and nothing is lost or moved", async () => {
  const text = (delta: string, id = "1"): Part => ({ type: "text-delta", id, delta });
  const signed = { ...text("!"), providerMetadata: { x: { signature: "s" } } } as Part;
  const { model } = modelOf(
    [],
    [text("a"), text("b"), text("c", "2"), signed, { type: "text-end", id: "2" }, text("d")],
  );
  const { stream } = await attend(model);
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  expect(parts).toEqual([text("ab"), text("c", "2"), signed, { type: "text-end", id: "2" }, text("d")]);
});
