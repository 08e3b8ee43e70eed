import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { estimateTokens, type LedgerEntry } from "skillset";
import type { ChatMessage } from "../../shared/api.ts";
import type { StepEvent, StepUsage, UsageSum } from "../../shared/steps-api.ts";
import type { ModelPrice } from "../config/models-config.ts";
import type { ProviderModel } from "../models/lazy-model.ts";
import { reasonOf } from "../observe/error-reason.ts";
import type { Log } from "../observe/log.ts";
import type { AttachedText } from "./attached-texts.ts";
import { costOf } from "./cost.ts";
import { type ModelRequest, RequestEncoder } from "./encode-request.ts";
import { KnownTexts } from "./known-texts.ts";
import type { StepRecord } from "./step-record.ts";
import type { StepStore } from "./step-store.ts";

export interface AnswerRecorderOptions {
  readonly chatId: string;
  readonly answerId: string;
  readonly modelId: string;
  readonly price: ModelPrice | undefined;
  readonly store: Pick<StepStore, "save">;
  readonly log: Log;
}

type Step = { -readonly [Key in keyof StepRecord]: StepRecord[Key] } & { events: StepEvent[]; said: string[] };

/** Records what the model of one answer sees: each request, its usage, and the events around it. */
export class AnswerRecorder {
  readonly #options: AnswerRecorderOptions;
  #encoder = new RequestEncoder(new KnownTexts());
  #open: Step | undefined;
  /** Events of the next request. */
  #early: StepEvent[] = [];
  #saving: Promise<void> = Promise.resolve();
  #size = 0;
  readonly #usages: StepUsage[] = [];

  constructor(options: AnswerRecorderOptions) {
    this.#options = options;
  }

  /** The messages of the chat, as requests contain them, and the texts of each that has attached files. */
  begin(messages: readonly ChatMessage[], attached: readonly (readonly AttachedText[])[]): void {
    const known = new KnownTexts();
    // Answers have the instructions of skills that a user's message invoked. They are not the user's words.
    known.addMessages(messages.filter(({ role }) => role === "user"));
    this.#encoder = new RequestEncoder(known, attached);
  }

  /** Adds an event to the current request, or to the first one. */
  note(event: StepEvent): void {
    (this.#open?.events ?? this.#early).push(briefly(event));
  }

  /** Adds an event to the next request. */
  noteNext(event: StepEvent): void {
    this.#early.push(event);
  }

  /** Returns the model, with each of its requests recorded. */
  watch(model: ProviderModel): ProviderModel {
    const wrapStream: LanguageModelMiddleware["wrapStream"] = async ({ doStream, params }) => {
      const step = this.#start(params);
      try {
        const result = await doStream();
        return { ...result, stream: result.stream.pipeThrough(this.#listener(step)) };
      } catch (error) {
        step.outcome = params.abortSignal?.aborted ? "cut" : "failed";
        throw error;
      }
    };
    return wrapLanguageModel({ model, middleware: { wrapStream } });
  }

  /** Ends the last step. Returns what the answer used, or undefined if no request was sent. */
  end(): UsageSum | undefined {
    this.#close();
    return this.#usages.length === 0 ? undefined : sumOf(this.#usages);
  }

  /** Resolves when everything is stored. Never rejects: an answer must not fail because of its record. */
  get stored(): Promise<void> {
    return this.#saving;
  }

  #start(options: ModelRequest): Step {
    this.#close();
    const recipe = this.#encoder.encode(options);
    const input = this.#encoder.tokensOf(recipe);
    const step: Step = {
      step: this.#usages.length + 1,
      modelId: this.#options.modelId,
      startedAt: Date.now(),
      answeredAt: undefined,
      outcome: "cut",
      finish: undefined,
      usage: { input, output: 0, isEstimate: true },
      events: this.#early,
      moreEvents: 0,
      recipe,
      said: [],
    };
    this.#early = [];
    this.#open = step;
    return step;
  }

  #listener(step: Step): TransformStream<ModelPart, ModelPart> {
    return new TransformStream({
      transform: (part, controller) => {
        if ("delta" in part) step.said.push(part.delta);
        if (part.type === "error") step.outcome = "failed";
        if (part.type === "finish") {
          step.answeredAt = Date.now();
          step.finish = part.finishReason.unified;
          if (step.outcome === "cut") step.outcome = "answered";
          step.usage = usageOf(part.usage, step);
        }
        controller.enqueue(part);
      },
    });
  }

  #close(): void {
    const step = this.#open;
    this.#open = undefined;
    if (step === undefined) return;
    const { chatId, answerId, price, store, log } = this.#options;
    const { said, ...record } = step;
    // A model that was cut off has used what it said.
    const counted =
      record.answeredAt === undefined ? { ...record.usage, output: estimateTokens(said.join("")) } : record.usage;
    const usage = { ...counted, ...withCost(costOf(counted, price)) };
    this.#usages.push(usage);
    const events = record.events.slice(0, MOST_EVENTS);
    const whole = { ...record, usage, events, moreEvents: record.events.length - events.length };
    const { recipe: _, ...small } = whole;
    this.#size += JSON.stringify(whole).length;
    // Later recipes build on earlier ones, so none follows the first that is left out.
    const stored = this.#size > LARGEST_RECORD ? small : whole;
    const own = new Map(this.#encoder.own);
    this.#saving = this.#saving
      .then(() => store.save(chatId, answerId, stored, own))
      .catch((error: unknown) => log.warn("step-not-stored", { chat: chatId, reason: reasonOf(error) }));
  }
}

type ModelPart =
  Awaited<ReturnType<ProviderModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type ModelUsage = Extract<ModelPart, { type: "finish" }>["usage"];

/** What the provider reported, or estimates. */
function usageOf({ inputTokens, outputTokens }: ModelUsage, { usage, said }: Step): StepUsage {
  const { total: input, cacheRead: cached } = inputTokens;
  const { total: output } = outputTokens;
  return {
    input: input ?? usage.input,
    output: output ?? estimateTokens(said.join("")),
    ...(cached !== undefined && cached > 0 && { cached }),
    isEstimate: input === undefined || output === undefined,
  };
}

function sumOf(usages: readonly StepUsage[]): UsageSum {
  const sum = (of: (usage: StepUsage) => number): number => usages.reduce((total, usage) => total + of(usage), 0);
  const isPriced = usages.every(({ cost }) => cost !== undefined);
  return {
    steps: usages.length,
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    isEstimate: usages.some(({ isEstimate }) => isEstimate),
    ...withCost(isPriced ? sum(({ cost = 0 }) => cost) : undefined),
  };
}

function withCost(cost: number | undefined): { readonly cost?: number } {
  return cost === undefined ? {} : { cost };
}

/** Lists of names are cut, and reasons left out: they may contain paths of the server. */
function briefly(event: StepEvent): StepEvent {
  if (event.type === "skills-offered" || event.type === "skills-searched" || event.type === "skills-suggested") {
    return { ...event, skills: event.skills.slice(0, MOST_NAMES) } satisfies LedgerEntry;
  }
  return event.type === "toolset-failed" ? { ...event, file: undefined, reason: "" } : event;
}

const MOST_EVENTS = 200;
const MOST_NAMES = 200;
/** Bytes of all steps of an answer. Requests that come later cannot be rebuilt. */
const LARGEST_RECORD = 1024 * 1024;
