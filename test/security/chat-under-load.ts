import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Chat, ChatSummary } from "../../apps/chat/shared/api.ts";

const MAIN = fileURLToPath(new URL("../../apps/chat/server/main.ts", import.meta.url));

export interface RunningServer {
  readonly url: string;
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Options for `node`, before the program. */
  readonly arguments?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the chat's server as users do; resolves when it listens. */
export async function startServer({ environment, ...options }: ServerOptions): Promise<RunningServer> {
  const server = spawn(process.execPath, [...(options.arguments ?? []), MAIN], {
    env: { PATH: process.env.PATH, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await exit;
  };
  return { url: await firstLine(server), kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

/** What the server acknowledged: messages, and answers that were received completely. */
export interface Acknowledged {
  readonly chatId: string;
  readonly messageId: string;
  readonly text: string;
  isAnswered: boolean;
}

/** Starts writers that send one message after the other, each in its own chat, until the server is gone. */
export async function writeUntilGone(
  url: string,
  writers: number,
  onAcknowledged: (count: number) => void,
): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const write = async (): Promise<void> => {
    const { id: chatId } = (await (await post(`${url}api/chats`)).json()) as ChatSummary;
    for (let index = 0; ; index++) {
      const text = index % 2 ? `Message ${index} ${randomUUID()}` : "/notes";
      const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text }] };
      const response = await post(`${url}api/chats/${chatId}/turn`, { message, modelId: "offline" });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      const one = { chatId, messageId: message.id, text, isAnswered: false };
      onAcknowledged(acknowledged.push(one));
      await response.text();
      one.isAnswered = true;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: writers }, write));
  const odd = ended.find((end) => end.status === "rejected" && !/fetch failed|terminated/.test(String(end.reason)));
  if (odd?.status === "rejected") throw odd.reason;
  return acknowledged;
}

export interface Findings {
  /** Acknowledged messages that are missing. */
  lost: number;
  /** Completely received answers that are missing. */
  unanswered: number;
  /** Answers that are neither complete nor marked as cut. */
  halves: number;
}

/** Checks everything that was acknowledged. */
export async function look(url: string, acknowledged: readonly Acknowledged[]): Promise<Findings> {
  const findings: Findings = { lost: 0, unanswered: 0, halves: 0 };
  for (const chatId of new Set(acknowledged.map((one) => one.chatId))) {
    const response = await fetch(`${url}api/chats/${chatId}`);
    const messages = response.ok ? ((await response.json()) as Chat).messages : [];
    for (const { messageId, text, isAnswered } of acknowledged.filter((one) => one.chatId === chatId)) {
      const index = messages.findIndex(({ id }) => id === messageId);
      const [part] = messages[index]?.parts ?? [];
      const next = messages[index + 1];
      const isWhole = next?.role === "assistant" && next.metadata?.isCut !== true;
      if (part?.type !== "text" || part.text !== text) findings.lost++;
      if (isAnswered && !isWhole) findings.unanswered++;
    }
    const answers = messages.filter(({ role }) => role === "assistant");
    findings.halves += answers.filter(
      ({ parts, metadata }) => metadata?.isCut !== true && !parts.some(({ type }) => type === "text"),
    ).length;
  }
  return findings;
}

/** Waits until no answer is being written. */
export async function settled(url: string, chatIds: Iterable<string>): Promise<boolean> {
  const deadline = Date.now() + 30_000;
  for (const chatId of chatIds) {
    for (;;) {
      const { isAnswering } = (await (await fetch(`${url}api/chats/${chatId}`)).json()) as Chat;
      if (!isAnswering) break;
      if (Date.now() > deadline) return false;
      await pause(200);
    }
  }
  return true;
}

function post(url: string, body?: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function firstLine(server: ChildProcess): Promise<string> {
  let errors = "";
  server.stderr?.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-4_000);
  });
  return new Promise((resolve, reject) => {
    server.stdout?.once("data", (chunk) => resolve(String(chunk).trim()));
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${errors}`)));
  });
}
