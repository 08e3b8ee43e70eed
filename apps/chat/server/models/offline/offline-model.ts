import { setTimeout as pause } from "node:timers/promises";
import { estimateTokens } from "skillset";
import { nearestNames } from "skillset/adapter";
import {
  answerUnknownName,
  answerWithoutInstructions,
  answerWithoutSkill,
  answerWithSkill,
  withFooter,
} from "./answer.ts";
import { chooseSkill, type RankSkills, type SkillChoice } from "./choose-skill.ts";
import { contentWords } from "./content-words.ts";
import { type PlannedCall, planNext } from "./plan-calls.ts";
import {
  ACTIVATE,
  type CallOptions,
  type CatalogEntry,
  type OfflineLanguageModel,
  type OfflineRequest,
  readRequest,
  SEARCH,
} from "./read-request.ts";

export interface OfflineModelOptions {
  /** Finds the skills that match a text. */
  readonly rank: RankSkills;
  /** The skills that users can invoke, for prompts without a catalog. */
  readonly listSkills?: () => readonly CatalogEntry[];
  /** Without tools, it answers from the instructions in the prompt, as small models do. */
  readonly tools?: boolean;
  /** The delay per word, in milliseconds. */
  readonly wordDelay?: number;
}

/**
 * Replaces a language model for trying out skills. It finds a skill by words, loads it, reads the files, runs the
 * scripts and calls the tools that the instructions name, and quotes the results. It is deterministic.
 */
export function createOfflineModel({
  rank,
  listSkills = () => [],
  tools = true,
  wordDelay = 2,
}: OfflineModelOptions): OfflineLanguageModel {
  const modelId = tools ? "offline" : "offline-no-tools";
  const run = async (options: CallOptions): Promise<Result> => {
    options.abortSignal?.throwIfAborted();
    const request = readRequest(options, tools);
    const reply = await replyTo(request, rank, listSkills);
    options.abortSignal?.throwIfAborted();
    return resultOf(options, reply.kind === "text" ? { ...reply, text: withFooter(request, reply.text) } : reply);
  };
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => ({ ...(await run(options)), response: { modelId }, warnings: warningsFor(options) }),
    doStream: async (options) => {
      const parts = streamParts(await run(options), modelId, options, wordDelay);
      return { stream: ReadableStream.from(parts) };
    },
  };
}

type Result = Pick<Awaited<ReturnType<OfflineLanguageModel["doGenerate"]>>, "content" | "finishReason" | "usage">;
type Warnings = Awaited<ReturnType<OfflineLanguageModel["doGenerate"]>>["warnings"];
type StreamPart =
  Awaited<ReturnType<OfflineLanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

type Reply =
  | { readonly kind: "calls"; readonly calls: readonly (PlannedCall & { readonly id: string })[] }
  | { readonly kind: "text"; readonly text: string };

/** One step of a turn. A turn has at most six: search, load the skill, read its files, run its scripts, call its tools, answer. */
async function replyTo(
  request: OfflineRequest,
  rank: RankSkills,
  listSkills: () => readonly CatalogEntry[],
): Promise<Reply> {
  const listed = [...request.catalog, ...listSkills()].map(({ name }) => name);
  const names = [...new Set([...request.instructions.keys(), ...listed])];
  const unknown = unknownName(request.message, names);
  if (unknown !== undefined) return { kind: "text", text: answerUnknownName(unknown, nearestNames(unknown, names, 3)) };
  const choice = await chooseSkill(request, rank);
  const query = canSearch(request) && isUnsure(choice) ? searchWords(request) : "";
  if (query !== "") return toCalls(request, [{ tool: SEARCH, input: { query } }]);
  if (choice.kind === "none") {
    const { isSmallTalk, suggestions } = choice;
    return { kind: "text", text: answerWithoutSkill(isSmallTalk, suggestions.length > 0 ? suggestions : listSkills()) };
  }
  const { name, reason } = choice;
  const instructions = request.instructions.get(name);
  if (instructions === undefined || !request.active.includes(name)) {
    const isTried = request.calls.some(({ tool, isOfThisTurn }) => tool === ACTIVATE && isOfThisTurn);
    const canActivate = request.tools.some((tool) => tool.name === ACTIVATE);
    if (canActivate && !isTried) return toCalls(request, [{ tool: ACTIVATE, input: { name } }]);
    return { kind: "text", text: answerWithoutInstructions(request, name) };
  }
  const { calls, skipped } = planNext(request, instructions);
  if (calls.length > 0) return toCalls(request, calls);
  return { kind: "text", text: answerWithSkill(request, instructions, reason, skipped) };
}

/** Whether the prompt lists only some of the skills, and this turn has not searched for others. */
function canSearch({ tools, calls }: OfflineRequest): boolean {
  const isSearched = calls.some(({ tool, isOfThisTurn }) => tool === SEARCH && isOfThisTurn);
  return !isSearched && tools.some(({ name }) => name === SEARCH);
}

/** Whether no skill that the model knows of matches the message. */
function isUnsure(choice: SkillChoice): boolean {
  if (choice.kind === "none") return !choice.isSmallTalk;
  return choice.reason.why === "active" && !choice.reason.isAbout;
}

function searchWords({ message }: OfflineRequest): string {
  return contentWords(message).slice(0, MOST_QUERY_WORDS).join(" ");
}

const MOST_QUERY_WORDS = 30;

/** An unknown skill name at the start of a message; a path such as `/usr/bin` is not a name. */
function unknownName(message: string, names: readonly string[]): string | undefined {
  const [, name] = /^\/([^\s/]{1,64})(?:\s|$)/.exec(message) ?? [];
  return names.length === 0 || name === undefined || names.includes(name) ? undefined : name;
}

/** Continues the numbering of the conversation, so that ids are unique without being random. */
function toCalls(request: OfflineRequest, calls: readonly PlannedCall[]): Reply {
  const used = request.calls.map(({ id }) => Number(/^offline-(\d{1,9})$/.exec(id)?.[1] ?? 0));
  const first = Math.max(0, ...used) + 1;
  return { kind: "calls", calls: calls.map((call, index) => ({ ...call, id: `offline-${first + index}` })) };
}

function resultOf({ prompt, tools = [] }: CallOptions, reply: Reply): Result {
  const content: Result["content"] =
    reply.kind === "text"
      ? [{ type: "text", text: reply.text }]
      : reply.calls.map(({ id, tool, input }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: tool,
          input: JSON.stringify(input),
        }));
  const sent = estimateTokens(JSON.stringify([prompt, tools], withoutFileData));
  const text = reply.kind === "text" ? estimateTokens(reply.text) : 0;
  const total = reply.kind === "text" ? text : estimateTokens(JSON.stringify(content));
  const raw = reply.kind === "text" ? "stop" : "tool-calls";
  return {
    content,
    finishReason: { unified: raw, raw },
    usage: {
      inputTokens: { total: sent, noCache: sent, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total, text, reasoning: 0 },
    },
  };
}

/** Leaves out files such as images: they are not read, and would be slow to count. */
function withoutFileData(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value && value.type === "file" ? {} : value;
}

async function* streamParts(
  { content, finishReason, usage }: Result,
  modelId: string,
  options: CallOptions,
  wordDelay: number,
): AsyncGenerator<StreamPart> {
  const { abortSignal: signal } = options;
  yield { type: "stream-start", warnings: warningsFor(options) };
  yield { type: "response-metadata", modelId };
  for (const part of content) {
    if (part.type === "tool-call") {
      const { toolCallId: id, toolName, input } = part;
      yield { type: "tool-input-start", id, toolName };
      yield { type: "tool-input-delta", id, delta: input };
      yield { type: "tool-input-end", id };
      yield part;
    }
    if (part.type !== "text") continue;
    yield { type: "text-start", id: "0" };
    for (const [delta] of part.text.matchAll(/(?<!\s)\s*\S+/g)) {
      signal?.throwIfAborted();
      if (wordDelay > 0) await pause(wordDelay, undefined, { signal });
      yield { type: "text-delta", id: "0", delta };
    }
    yield { type: "text-end", id: "0" };
  }
  signal?.throwIfAborted();
  yield { type: "finish", finishReason, usage };
}

function warningsFor({ responseFormat }: CallOptions): Warnings {
  return responseFormat?.type === "json" ? [{ type: "unsupported", feature: "responseFormat" }] : [];
}
