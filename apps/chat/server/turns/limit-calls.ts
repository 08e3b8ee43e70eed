import type { ProviderModel } from "../models/lazy-model.ts";

type ModelStream = Awaited<ReturnType<ProviderModel["doStream"]>>["stream"];
type ModelPart = ModelStream extends ReadableStream<infer Part> ? Part : never;

class TooManyCallsError extends Error {
  override readonly name = "TooManyCallsError";
}

/** Ends a response that calls more tools than an answer needs: all calls of a response run at once. */
export function limitCalls(stream: ModelStream): ModelStream {
  const ids = new Set<string>();
  return stream.pipeThrough(
    new TransformStream<ModelPart, ModelPart>({
      transform: (part, controller) => {
        if (part.type === "tool-call") ids.add(part.toolCallId);
        if (part.type === "tool-input-start") ids.add(part.id);
        if (ids.size <= MOST_CALLS) return controller.enqueue(part);
        throw new TooManyCallsError(`The answer was cut off: the model called more than ${MOST_CALLS} tools at once.`);
      },
    }),
  );
}

export const MOST_CALLS = 32;
