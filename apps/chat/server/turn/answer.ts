import { randomUUID } from "node:crypto";
import { streamText, type ToolSet, toUIMessageStream, type UIMessageChunk } from "ai";
import type { Session } from "skillset";
import { parseInvocation } from "skillset/adapter";
import { endedEarly } from "skillset/ai-sdk";
import type { ChatMessage } from "../../shared/api.ts";
import { fillMessages } from "../chats/fill-messages.ts";
import { wordsOf } from "../chats/message-words.ts";
import { toRequestMessages } from "../chats/request-messages.ts";
import type { Services } from "../services.ts";
import { activate, answerBare, writeActivation } from "./invocation.ts";
import { prepareRequest } from "./model-request.ts";
import { SessionObserver } from "./observe-session.ts";
import type { Outcome, Turn, Writer } from "./turn.ts";

/** Writes the answer to the last message of a chat, with the chips whenever they change. */
export async function answer(
  services: Services,
  turn: Turn,
  writer: Writer,
  toText: (error: unknown) => string,
): Promise<Outcome> {
  const { skills } = services;
  if (skills === undefined) return askModel(services, turn, writer, toText);
  let chips = Promise.resolve();
  const observer = new SessionObserver(services, () => {
    chips = chips.then(async () => {
      writer.write({ type: "data-active", id: "active", data: await skills.sessions.active(turn.chatId) });
    });
  });
  const session = await skills.sessions.open(turn.chatId, observer);
  try {
    const invocation = parseInvocation(wordsOf(turn.message), session.skillset);
    if (invocation?.bare) return await answerBare(session, invocation.skill.name, turn, writer);
    return await askModel(services, turn, writer, toText, session);
  } finally {
    await Promise.allSettled([chips, observer.end()]);
  }
}

async function askModel(
  services: Services,
  turn: Turn,
  writer: Writer,
  toText: (error: unknown) => string,
  session?: Session,
): Promise<Outcome> {
  const { hasTools } = turn.info;
  const { timeoutSeconds, maxSteps } = services.config.models;
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  const tooLong = new AbortController();
  const abortSignal = AbortSignal.any([turn.running.signal, timeout, tooLong.signal]);
  const { skills } = services;
  const recent = skills && { chatId: turn.chatId, texts: skills.recent };
  const stored = await fillMessages(await services.chats.messages(turn.chatId), skills?.registry, recent);
  const isUnloaded = (name: string): boolean => session?.skillset.has(name) === true && !session.active.includes(name);
  const messages = await toRequestMessages(stored, { isUnloaded, hasTools: hasTools && session !== undefined });
  const catalog = skills?.registry.catalogOptions ?? {};
  const request = await prepareRequest(session, messages, { hasTools, maxSteps, catalog, signal: abortSignal });
  const { invoked } = request;
  if (invoked !== undefined && hasTools) {
    const { text, ...data } = invoked.activation;
    writeActivation(writer, invoked.skill.name, { isError: false, text, data });
  } else if (invoked !== undefined && session !== undefined) {
    await activate(session, invoked.skill.name, invoked.arguments, abortSignal);
    writer.write({ type: "message-metadata", messageMetadata: { fallback: invoked.skill.name } });
  }
  // Providers repeat what they were sent, so their words are not for the log.
  const report = (error: unknown): void => {
    const { name, statusCode } = error as { name?: string; statusCode?: number };
    services.log.error("model-failed", { chat: turn.chatId, model: turn.modelId, error: name, status: statusCode });
  };
  const result = streamText({
    model: turn.model,
    ...request.settings,
    abortSignal,
    onError: ({ error }) => report(error),
  });
  let outcome: Outcome = "done";
  const chunks = toUIMessageStream<ToolSet, ChatMessage>({
    stream: result.stream,
    tools: request.settings.tools,
    sendStart: false,
    onError: (error) => toText(error),
  });
  const ends: UIMessageChunk[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += storedBytes(chunk);
    if (bytes > LARGEST_ANSWER) {
      tooLong.abort();
      writer.write({ type: "message-metadata", messageMetadata: { isTooLong: true } });
      writer.write({ type: "error", errorText: "The answer was longer than 4 MiB, so it was cut off." });
      return "cut";
    }
    if (chunk.type === "error") outcome = "failed";
    if (chunk.type === "abort") outcome = "cut";
    // The sentence about the limit must be written before the end of the message.
    if (chunk.type === "finish") ends.push(chunk);
    else writer.write(chunk);
  }
  if (outcome === "done" && endedEarly(await result.steps)) {
    outcome = "steps";
    writeStepLimit(writer, maxSteps);
  }
  for (const end of ends) writer.write(end as never);
  if (timeout.aborted && !turn.running.signal.aborted) {
    writer.write({ type: "error", errorText: `The answer took longer than ${timeoutSeconds} seconds.` });
  }
  return outcome;
}

/** A part of the answer like any other, so that the page shows it and the model reads it in its next request. */
function writeStepLimit(writer: Writer, maxSteps: number): void {
  const id = randomUUID();
  const delta = `The answer stopped because it reached the limit of ${maxSteps} steps. Write "continue" to go on.`;
  writer.write({ type: "start-step" });
  writer.write({ type: "text-start", id });
  writer.write({ type: "text-delta", id, delta });
  writer.write({ type: "text-end", id });
  writer.write({ type: "finish-step" });
  writer.write({ type: "message-metadata", messageMetadata: { stepLimit: maxSteps } });
}

/** What a database stores in one piece without holding others up. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** What a chunk adds to the stored answer; the texts of skills are not stored. */
function storedBytes(chunk: UIMessageChunk): number {
  if (chunk.type === "text-delta" || chunk.type === "reasoning-delta") return Buffer.byteLength(chunk.delta);
  if (chunk.type === "tool-input-delta") return Buffer.byteLength(chunk.inputTextDelta);
  if (chunk.type === "tool-input-available") return Buffer.byteLength(JSON.stringify(chunk.input) ?? "");
  if (chunk.type === "tool-output-available" && chunk.dynamic) {
    return Buffer.byteLength(JSON.stringify(chunk.output) ?? "");
  }
  return 0;
}
