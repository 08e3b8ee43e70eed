import type { ProviderModel } from "../models/lazy-model.ts";

type ModelStream = Awaited<ReturnType<ProviderModel["doStream"]>>["stream"];
type ModelPart = ModelStream extends ReadableStream<infer Part> ? Part : never;
type Delta = Extract<ModelPart, { type: "text-delta" | "reasoning-delta" | "tool-input-delta" }>;
type Read = Awaited<ReturnType<ReadableStreamDefaultReader<ModelPart>["read"]>>;

/**
 * Joins deltas of one part that come within a few milliseconds, after the first. Most of the work for an answer is per
 * chunk: for the SDK, the log, the network and the page. `listen` wraps each read.
 */
export function joinDeltas(
  stream: ModelStream,
  listen: <Result>(work: PromiseLike<Result>) => Promise<Result>,
): ModelStream {
  const reader = stream.getReader();
  let next: Promise<Read> | undefined;
  let isFirst = true;
  const read = (): Promise<Read> => {
    next ??= listen(reader.read());
    // A failure is thrown by the pull that uses it.
    next.catch(() => {});
    return next;
  };
  const take = async (): Promise<Read> => {
    const result = await read();
    next = undefined;
    return result;
  };
  return new ReadableStream<ModelPart>({
    async pull(controller) {
      const { done, value } = await take();
      if (done) return controller.close();
      if (!isDelta(value)) return controller.enqueue(value);
      const texts = [value.delta];
      let timer: NodeJS.Timeout | undefined;
      const isLate = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), isFirst ? 0 : JOINED);
      });
      isFirst = false;
      for (let size = value.delta.length; size < LARGEST; ) {
        const more = await Promise.race([read().catch(() => {}), isLate]);
        if (more === undefined || more.done || !isDelta(more.value)) break;
        if (more.value.type !== value.type || more.value.id !== value.id) break;
        texts.push(more.value.delta);
        size += more.value.delta.length;
        next = undefined;
      }
      clearTimeout(timer);
      controller.enqueue({ ...value, delta: texts.join("") });
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Parts with data of the provider, such as signatures, stay as they are. */
function isDelta(part: ModelPart): part is Delta {
  return part.type.endsWith("-delta") && (part as Delta).providerMetadata === undefined;
}

/** Milliseconds. More than 25 changes a second are no smoother to read. */
const JOINED = 40;
/** Characters. */
const LARGEST = 16_384;
