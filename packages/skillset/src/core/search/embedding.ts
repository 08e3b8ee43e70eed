import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import type { EmbeddingCalls } from "./embed-texts.ts";

/** Returns one vector for each text, in their order. All vectors have the same length. */
export type EmbedFunction = (
  texts: string[],
  options: { readonly signal: AbortSignal },
) => PromiseLike<readonly (readonly number[])[]>;

/** The part of an embedding model of the AI SDK that `skillset` uses. */
export interface EmbeddingModel {
  readonly provider?: string;
  readonly modelId?: string;
  /** How many texts one call may have. */
  readonly maxEmbeddingsPerCall?: PromiseLike<number | undefined> | number | undefined;
  readonly supportsParallelCalls?: PromiseLike<boolean> | boolean;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** Keeps vectors, for example in a file or a database. A cache that throws is ignored. */
export interface EmbeddingCache {
  /** Returns what `set` received, or undefined. */
  get(key: string): PromiseLike<readonly number[] | undefined> | readonly number[] | undefined;
  set(key: string, vector: readonly number[]): PromiseLike<void> | void;
}

export interface EmbeddingOptions {
  readonly model: EmbeddingModel | EmbedFunction;
  /** Keeps the vectors of skills when the program ends. Without it, they are kept in memory only. */
  readonly cache?: EmbeddingCache;
  /**
   * Identifies the model in the keys of the cache.
   * @default the provider and id of an AI SDK model
   */
  readonly id?: string;
  /**
   * How long a search waits for the model, in milliseconds. After that, it uses the words alone.
   * @default 5000
   */
  readonly timeout?: number;
}

/** A model, a function, or one of the two with options. */
export type Embedding = EmbeddingModel | EmbedFunction | EmbeddingOptions;

/** An embedding after its options are checked. */
export interface OpenedEmbedding {
  /** As it was given, to recognize it. */
  readonly model: EmbeddingModel | EmbedFunction;
  readonly calls: EmbeddingCalls;
  readonly id: string;
  readonly cache: EmbeddingCache | undefined;
  readonly timeout: number;
}

/** Checks the option `embedding`. */
export function openEmbedding(given: Embedding): OpenedEmbedding {
  const { model, cache, timeout = DEFAULTS.embeddingTimeout, id } = isOptions(given) ? given : { model: given };
  if (!(timeout > 0)) throw new SkillError("option-invalid", `'embedding.timeout' must be over 0, not ${timeout}.`);
  const isNamed = typeof model === "object" && model !== null && Boolean(model.provider && model.modelId);
  if (cache !== undefined && id === undefined && !isNamed) {
    const message =
      "'embedding.cache' needs 'embedding.id', a name for the model that changes with it: this model has none.";
    throw new SkillError("option-invalid", message);
  }
  if (typeof model === "function") {
    const doEmbed: EmbeddingCalls["doEmbed"] = async (values, signal) => model(values, { signal });
    return { model, calls: { doEmbed, limits: async () => ({}) }, id: id ?? "function", cache, timeout };
  }
  if (typeof model?.doEmbed !== "function") {
    const message = `'embedding' must be an AI SDK embedding model or a function, not ${typeof model === "string" ? `the text '${model}'` : typeof model}.`;
    throw new SkillError("option-invalid", message);
  }
  const calls: EmbeddingCalls = {
    doEmbed: async (values, abortSignal) => (await model.doEmbed({ values, abortSignal })).embeddings,
    limits: async () => ({
      texts: await model.maxEmbeddingsPerCall,
      isParallel: await model.supportsParallelCalls,
    }),
  };
  return { model, calls, id: id ?? `${model.provider ?? ""}/${model.modelId ?? ""}`, cache, timeout };
}

function isOptions(given: Embedding): given is EmbeddingOptions {
  return typeof given === "object" && given !== null && "model" in given;
}
