import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { streamText, type ToolSet, toUIMessageStream, type UIMessageChunk } from "ai";
import type { Session } from "skillset";
import { endedEarly } from "skillset/ai-sdk";
import type { ChatMessage } from "../../shared/api.ts";
import { kindOf } from "../../shared/attachments-api.ts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { fillMessages } from "../chats/fill-messages.ts";
import type { AnswerConfig } from "../config/models-config.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { SessionObserver } from "../skills/observe-session.ts";
import type { UsageStore } from "../skills/usage-store.ts";
import { AnswerRecorder } from "../steps/answer-recorder.ts";
import type { StepStore } from "../steps/step-store.ts";
import { attachmentsOf, withAttachments } from "./attachment-parts.ts";
import { attendedModel } from "./attended-model.ts";
import type { ChatSkills } from "./chat-skills.ts";
import type { AnswerOutcome, AnswerWriter, ChatTurn } from "./chat-turn.ts";
import { followScripts } from "./follow-scripts.ts";
import { inlineTexts } from "./inline-texts.ts";
import { activate, writeActivation } from "./invocation.ts";
import { placeFiles } from "./place-files.ts";
import { preparePrompt } from "./prepare-prompt.ts";
import { toPromptMessages } from "./prompt-messages.ts";
import { showTriggered } from "./triggered-skills.ts";

export interface WriteAnswerOptions {
  readonly config: { readonly models: AnswerConfig };
  readonly attachments: AttachmentStore | undefined;
  readonly chats: Pick<ChatStore, "messages">;
  readonly skills: ChatSkills | undefined;
  readonly usage: Pick<UsageStore, "count">;
  readonly steps: Pick<StepStore, "save">;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Converts an error to a message for the user. */
  readonly toText: (error: unknown) => string;
}

/** Writes the answer to the last message of a chat, and the active skills whenever they change. */
export async function writeAnswer(
  turn: ChatTurn,
  writer: AnswerWriter,
  options: WriteAnswerOptions,
): Promise<AnswerOutcome> {
  const { skills, log, metrics, usage } = options;
  const { chatId, answer, modelId, price } = turn;
  const recorder = new AnswerRecorder({ chatId, answerId: answer.id, modelId, price, store: options.steps, log });
  const ask = (session: Session | undefined) => askModel(session, turn, writer, { ...options, recorder });
  if (skills === undefined) return ask(undefined).finally(() => endRecord(recorder, writer));
  let chips = Promise.resolve();
  const onActivated = (): void => {
    chips = chips.then(async () => {
      writer.write({ type: "data-active", id: "active", data: await skills.sessions.active(turn.chatId) });
    });
  };
  const observer = new SessionObserver({ log, metrics, usage, onActivated, onEntry: (entry) => recorder.note(entry) });
  const session = await skills.sessions.open(turn.chatId, observer);
  try {
    return await ask(session);
  } finally {
    await Promise.allSettled([chips, observer.end()]);
    await endRecord(recorder, writer);
  }
}

async function askModel(
  session: Session | undefined,
  turn: ChatTurn,
  writer: AnswerWriter,
  {
    attachments,
    config,
    chats,
    skills,
    log,
    toText,
    recorder,
  }: WriteAnswerOptions & { readonly recorder: AnswerRecorder },
): Promise<AnswerOutcome> {
  const { hasTools } = turn.info;
  const { timeoutSeconds, idleSeconds, maxSteps, maxPromptTokens } = config.models;
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  const tooLong = new AbortController();
  const abortSignal = AbortSignal.any([turn.answer.signal, timeout, tooLong.signal]);
  const recent = skills && { chatId: turn.chatId, texts: skills.recent };
  const stored = await fillMessages(await chats.messages(turn.chatId), skills?.registry, recent);
  const isUnloaded = (name: string): boolean => session?.skillset.has(name) === true && !session.active.includes(name);
  const words = await toPromptMessages(stored, { isUnloaded, hasTools: hasTools && session !== undefined });
  const files = hasTools ? attachmentsOf(stored) : [];
  const placed = await placeFiles(turn.chatId, files, { attachments, skills, signal: abortSignal });
  const attached = [...new Set(files.flatMap(({ path = "" }) => (placed.has(path) ? [path] : [])))];
  const limit = turn.maxPromptTokens ?? maxPromptTokens;
  const attaching = { attachments, reads: turn.reads, placed, maxPromptTokens: limit };
  const { messages, texts, tokens, leftOut } = await withAttachments(words, stored, attaching);
  recorder.begin(stored, texts);
  // Those of the newest messages: a step has room for a limited number of events.
  for (const file of leftOut.slice(-MOST_FILES))
    recorder.noteNext({ type: "attachment-left-out", at: Date.now(), ...file });
  const compact = {
    // It counts the words, images and PDF files of messages, not the texts of attached files.
    tokens: Math.max(1, limit - tokens),
    onCompact: ({ dropped, stubbed }: { readonly dropped: number; readonly stubbed: readonly string[] }) => {
      recorder.noteNext({ type: "messages-left-out", at: Date.now(), count: dropped, skills: stubbed, limit });
      if (dropped > 0) writer.write({ type: "message-metadata", messageMetadata: { leftOut: dropped } });
    },
  };
  const prompt = await preparePrompt(session, messages, {
    hasTools,
    takesFiles: (mediaType) => (kindOf(mediaType) === "pdf" ? turn.reads?.pdf : turn.reads?.images) === true,
    models: config.models,
    turnOptions: skills?.registry.turnOptions,
    compact,
    signal: abortSignal,
  });
  const { invoked, settings } = prompt;
  const tools = skills
    ? followScripts(settings.tools, { chatId: turn.chatId, scripts: skills.scripts, writer, attached })
    : settings.tools;
  for (const { skill, arguments: words, activation } of invoked) {
    const { text, ...data } = activation;
    if (hasTools) writeActivation(writer, skill.name, { isError: false, text, data });
    else if (session !== undefined) await activate(session, skill.name, words, abortSignal);
  }
  if (!hasTools && invoked.length > 0) {
    const fallback = invoked.map(({ skill }) => skill.name).join(", ");
    writer.write({ type: "message-metadata", messageMetadata: { fallback } });
  }
  if (skills && session) {
    await showTriggered(prompt.triggered, { hasTools, session, registry: skills.registry, writer });
  }
  // Logged without the message, because providers echo prompts in it.
  const report = (error: unknown): void => {
    const { name, statusCode } = error as { name?: string; statusCode?: number };
    log.error("model-failed", { chat: turn.chatId, model: turn.modelId, error: name, status: statusCode });
  };
  const model = attendedModel(turn.model, {
    idleSeconds,
    onRetry: (data) => {
      writer.write({ type: "data-retry", id: "retry", data });
      if (data)
        recorder.note({ type: "request-repeated", at: Date.now(), attempt: data.attempt, attempts: data.attempts });
    },
  });
  const result = streamText({
    // The record has texts as they are sent.
    model: inlineTexts(recorder.watch(model)),
    // The model above repeats requests itself, and shows it.
    maxRetries: 0,
    ...settings,
    tools,
    abortSignal,
    onError: ({ error }) => report(error),
  });
  let outcome: AnswerOutcome = "done";
  const chunks = toUIMessageStream<ToolSet, ChatMessage>({
    stream: result.stream,
    tools,
    sendStart: false,
    onError: (error) => toText(error),
  });
  const ends: UIMessageChunk[] = [];
  let [bytes, readBytes] = [0, 0];
  for await (const chunk of chunks) {
    bytes += storedBytes(chunk);
    readBytes += readSize(chunk);
    if (bytes > LARGEST_ANSWER || readBytes > MOST_READ) {
      tooLong.abort();
      writer.write({ type: "message-metadata", messageMetadata: { isTooLong: true } });
      const what = bytes > LARGEST_ANSWER ? "it exceeded 4 MiB" : "it read more than 8 MiB of files";
      writeFailure(writer, `The answer was cut off: ${what}.`);
      return "cut";
    }
    if (chunk.type === "error") outcome = "failed";
    if (chunk.type === "abort") outcome = "cut";
    // The note about the limit must precede the end of the message.
    if (chunk.type === "finish") ends.push(chunk);
    else if (chunk.type === "error") writeFailure(writer, chunk.errorText);
    else writer.write(chunk);
  }
  if (outcome === "done" && endedEarly(await result.steps)) {
    outcome = "steps";
    writeStepLimit(writer, maxSteps);
  }
  for (const end of ends) writer.write(end as never);
  if (timeout.aborted && !turn.answer.signal.aborted) {
    writeFailure(writer, `The answer was cut off: it took longer than ${timeoutSeconds} seconds.`);
  }
  return outcome;
}

const MOST_FILES = 50;

/** Ends the record of an answer, whatever its outcome, and adds what it used to the message. */
async function endRecord(recorder: AnswerRecorder, writer: AnswerWriter): Promise<void> {
  const usage = recorder.end();
  if (usage !== undefined) writer.write({ type: "message-metadata", messageMetadata: { usage } });
  // A page that asks when the answer has ended finds its steps. A database that does not respond must not delay answers.
  await Promise.race([recorder.stored, pause(LONGEST_WAIT, undefined, { ref: false })]);
}

const LONGEST_WAIT = 1_000;

/** Reports a failure. The reason is part of the message too, so that a reload keeps it. */
export function writeFailure(writer: AnswerWriter, failure: string): void {
  writer.write({ type: "message-metadata", messageMetadata: { isCut: true, failure } });
  writer.write({ type: "error", errorText: failure });
}

/** Added as a normal text part, so that the page shows it and the model sees it in the next request. */
function writeStepLimit(writer: AnswerWriter, maxSteps: number): void {
  const id = randomUUID();
  const delta = `The answer stopped at the limit of ${maxSteps} steps. Write "continue" to resume.`;
  writer.write({ type: "start-step" });
  writer.write({ type: "text-start", id });
  writer.write({ type: "text-delta", id, delta });
  writer.write({ type: "text-end", id });
  writer.write({ type: "finish-step" });
  writer.write({ type: "message-metadata", messageMetadata: { stepLimit: maxSteps } });
}

/** The largest answer that the database stores without delaying other work. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** The bytes that a chunk adds to the stored answer. The texts of skills are not stored. */
function storedBytes(chunk: UIMessageChunk): number {
  if (chunk.type === "text-delta" || chunk.type === "reasoning-delta") return Buffer.byteLength(chunk.delta);
  if (chunk.type === "tool-input-delta") return Buffer.byteLength(chunk.inputTextDelta);
  if (chunk.type === "tool-input-available") return Buffer.byteLength(JSON.stringify(chunk.input) ?? "");
  if (chunk.type === "tool-output-available" && (chunk.dynamic || isScriptOutput(chunk.output))) {
    return Buffer.byteLength(JSON.stringify(chunk.output) ?? "");
  }
  return 0;
}

/** Everything that tools return for an answer is in memory, is sent to pages, and goes to the model again. */
const MOST_READ = 8 * 1024 * 1024;

function readSize(chunk: UIMessageChunk): number {
  if (chunk.type !== "tool-output-available") return 0;
  const { text } = (chunk.output ?? {}) as { text?: unknown };
  return typeof text === "string" ? text.length : 0;
}

function isScriptOutput(output: unknown): boolean {
  return (output as { data?: { outcome?: unknown } } | null)?.data?.outcome !== undefined;
}
