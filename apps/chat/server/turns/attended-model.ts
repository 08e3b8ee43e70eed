import { setTimeout as pause } from "node:timers/promises";
import { APICallError, type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { ModelRetry } from "../../shared/api.ts";
import type { ProviderModel } from "../models/lazy-model.ts";
import { joinDeltas } from "./join-deltas.ts";
import { limitCalls } from "./limit-calls.ts";

export interface AttendedModelOptions {
  /** A model that sends nothing for this long has fallen silent. */
  readonly idleSeconds: number;
  /** Called with each wait before a request is repeated, and with null when the wait is over. */
  readonly onRetry: (retry: ModelRetry | null) => void;
}

class ModelSilentError extends Error {
  override readonly name = "ModelSilentError";
}

/** Repeats refused requests after a wait that pages can show, ends silent ones and those with too many calls, and joins deltas. */
export function attendedModel(model: ProviderModel, { idleSeconds, onRetry }: AttendedModelOptions): ProviderModel {
  const wrapStream: LanguageModelMiddleware["wrapStream"] = async ({ params: options }) => {
    for (let attempt = 1; ; attempt++) {
      const silent = new AbortController();
      const abortSignal = AbortSignal.any([silent.signal, ...(options.abortSignal ? [options.abortSignal] : [])]);
      const listen = <Result>(work: PromiseLike<Result>): Promise<Result> => unlessSilent(work, idleSeconds, silent);
      try {
        const result = await listen(model.doStream({ ...options, abortSignal }));
        return { ...result, stream: limitCalls(joinDeltas(result.stream, listen)) };
      } catch (error) {
        const wait = attempt < ATTEMPTS ? waitBefore(error, attempt) : undefined;
        if (wait === undefined || abortSignal.aborted) throw error;
        onRetry({ at: new Date(Date.now() + wait).toISOString(), attempt: attempt + 1, attempts: ATTEMPTS });
        try {
          await pause(wait, undefined, { signal: options.abortSignal });
        } finally {
          onRetry(null);
        }
      }
    }
  };
  return wrapLanguageModel({ model, middleware: { wrapStream } });
}

/** Aborts and throws if the work takes too long. */
async function unlessSilent<Result>(
  work: PromiseLike<Result>,
  seconds: number,
  silent: AbortController,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new ModelSilentError(`The answer was cut off: the model sent nothing for ${seconds} seconds.`);
      reject(error);
      silent.abort(error);
    }, seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds, as the server asks for, or growing; undefined if the request should not be repeated. */
function waitBefore(error: unknown, attempt: number): number | undefined {
  if (!APICallError.isInstance(error) || !error.isRetryable) return undefined;
  const asked = retryAfter(error.responseHeaders ?? {});
  if (asked === undefined) return 2_000 * 2 ** (attempt - 1);
  return asked <= LONGEST_WAIT ? asked : undefined;
}

function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers["retry-after"] ?? "";
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

const ATTEMPTS = 3;
/** A person does not wait longer in front of a page. */
const LONGEST_WAIT = 60_000;
