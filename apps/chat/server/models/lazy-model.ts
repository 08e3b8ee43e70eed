import type { LanguageModel } from "ai";

export type ProviderModel = Extract<LanguageModel, { specificationVersion: "v4" }>;

export interface LazyModelOptions {
  readonly provider: string;
  readonly modelId: string;
  /** The API key, which is removed from every error. */
  readonly key: string | undefined;
  readonly load: () => Promise<ProviderModel>;
}

/** Loads the provider's package when the model is first used, and removes the key from its errors. */
export function lazyModel({ provider, modelId, key, load }: LazyModelOptions): ProviderModel {
  let loading: Promise<ProviderModel> | undefined;
  const loaded = async <Result>(use: (model: ProviderModel) => PromiseLike<Result>): Promise<Result> => {
    loading ??= load();
    try {
      return await use(await loading);
    } catch (error) {
      throw withoutKey(error, key);
    }
  };
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    get supportedUrls() {
      const urls = loaded(async (model) => model.supportedUrls);
      // Middleware reads this before anyone waits for it. The request fails with the same error.
      urls.catch(() => {});
      return urls;
    },
    doGenerate: (options) => loaded((model) => model.doGenerate(options)),
    doStream: (options) =>
      loaded(async (model) => {
        const result = await model.doStream(options);
        return { ...result, stream: result.stream.pipeThrough(withoutKeyInErrors(key)) };
      }),
  };
}

type StreamPart =
  Awaited<ReturnType<ProviderModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

function withoutKeyInErrors(key: string | undefined): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform: (part, controller) =>
      controller.enqueue(part.type === "error" ? { ...part, error: withoutKey(part.error, key) } : part),
  });
}

/** Removes the key from an error: servers may echo it, and it would end up in logs. */
function withoutKey(error: unknown, key: string | undefined, depth = 0): unknown {
  if (key === undefined || key.length < 4 || depth > 4) return error;
  if (typeof error === "string") return error.replaceAll(key, "…");
  if (typeof error !== "object" || error === null) return error;
  for (const field of Object.getOwnPropertyNames(error)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(error, field) ?? {};
    const clean = withoutKey(value, key, depth + 1);
    if (writable && clean !== value) Reflect.set(error, field, clean);
  }
  return error;
}
