import { useChat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type {
  ActiveSkill,
  Chat,
  ChatData,
  ChatMessage,
  ChatSummary,
  Consent,
  ConsentChoice,
} from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { RequestError, request } from "../api/request.ts";
import { type OnReplaced, turnTransport } from "../api/turn-transport.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { dropDraft, keepDraft } from "./draft.ts";
import { takeWaitingTurn } from "./first-turn.ts";

/** A chat in sync with the server: its messages, active skills, title and model. */
export function useSyncedChat(initial: Chat, onReplaced: OnReplaced) {
  const path = `/api/chats/${encodeURIComponent(initial.id)}`;
  const [title, setTitle] = useState(initial.title);
  const { models, defaultModelId } = useApp().state;
  const isOnOffer = models.some(({ id }) => id === initial.modelId);
  const [modelId, setModelId] = useState(isOnOffer ? initial.modelId : defaultModelId);
  const [active, setActive] = useState<readonly ActiveSkill[]>(initial.active);
  const [script, setScript] = useState(initial.script);
  const latestModel = useRef(modelId);
  latestModel.current = modelId;
  const [isAnswering, setAnswering] = useState(initial.isAnswering);
  const [isConnected, setConnected] = useState(true);
  const [stored] = useState(() => new Set(initial.messages.map(({ id }) => id)));
  const transport = useMemo(() => {
    const onTaken = (message: ChatMessage) => {
      stored.add(message.id);
      dropDraft(initial.id, textOf(message.parts));
    };
    const options = { stored, onTaken, onReplaced, onConnection: setConnected };
    return turnTransport(initial.id, () => latestModel.current, options);
  }, [initial.id, stored, onReplaced]);
  const chat = useChat<ChatMessage>({
    id: initial.id,
    messages: [...initial.messages],
    transport,
    throttle: 60,
    onData: (part) => {
      if (part.type === "data-active") setActive(part.data as ChatData["active"]);
      if (part.type === "data-script") setScript((part.data as ChatData["script"]) ?? undefined);
    },
  });
  const { messages, setMessages, sendMessage, regenerate, resumeStream, status, stop, error, clearError } = chat;
  const isReading = status === "submitted" || status === "streaming";
  const reading = useRef(isReading);
  /** Counts the answers that this page has read. */
  const turns = useRef(0);
  if (isReading && !reading.current) turns.current++;
  reading.current = isReading;
  const shown = useRef(messages);
  shown.current = messages;
  const failure = useRef<Error | undefined>(undefined);
  failure.current = status === "error" ? error : undefined;
  const [gone, setGone] = useState<"in-bin" | "deleted" | undefined>();

  useEffect(() => {
    const first = takeWaitingTurn(initial.id);
    if (first) void sendMessage({ text: first.text });
  }, [initial.id, sendMessage]);

  /** Reads an answer that another page asked for, or this one before it was reloaded. */
  const joining = useRef(false);
  const join = useCallback(async () => {
    if (joining.current || reading.current) return;
    joining.current = true;
    await resumeStream();
    joining.current = false;
  }, [resumeStream]);
  useEffect(() => {
    if (initial.isAnswering) void join();
  }, [initial.isAnswering, join]);

  const refresh = useCallback(async () => {
    const startedReading = reading.current;
    const chat = await request<Chat>(path).catch((reason: unknown) => {
      if (!(reason instanceof RequestError) || reason.status !== 404) return;
      setGone(reason.code === "chat-in-bin" ? "in-bin" : "deleted");
    });
    if (!chat) return;
    setGone(undefined);
    setTitle(chat.title);
    // The answer that this page reads is newer than the stored one.
    if (startedReading || reading.current) return;
    setActive(chat.active);
    setScript(chat.script);
    setAnswering(chat.isAnswering);
    for (const { id } of chat.messages) stored.add(id);
    if (failure.current instanceof RequestError) {
      // A message that the server did not accept is kept for a retry.
      const asked = shown.current.findLast(({ role }) => role === "user");
      if (asked === undefined || !isTaken(asked, chat.messages, failure.current)) return;
      dropDraft(initial.id, textOf(asked.parts));
    } else if (failure.current !== undefined && chat.isAnswering) {
      // The failed answer is not stored yet. An event follows.
      return;
    }
    if (failure.current !== undefined) clearError();
    // The change came from another tab, or the stored answer is more complete than this page's. An equal list is not
    // replaced, so that expanded cards stay expanded.
    setMessages((before) => (isSame(before, chat.messages) ? before : [...chat.messages]));
    if (chat.isAnswering) await join();
  }, [initial.id, path, setMessages, stored, clearError, join]);
  useAppEvents(() => void refresh());
  // Events may arrive before the answer ends.
  const wasReading = useRef(false);
  useEffect(() => {
    if (wasReading.current && !isReading) void refresh();
    wasReading.current = isReading;
  }, [isReading, refresh]);

  // A page that could not join an answer, or whose server does not write it, looks for changes itself.
  const isWatching = !isReading && (isAnswering || script?.state === "running");
  useEffect(() => {
    if (!isWatching) return;
    const timer = setInterval(() => void refresh(), 1000);
    return () => clearInterval(timer);
  }, [isWatching, refresh]);

  const send = (text: string) => {
    const last = messages.at(-1);
    const isRefused = error instanceof RequestError && last?.role === "user" && !stored.has(last.id);
    // The words of a message that was not accepted are sent with the next one.
    if (isRefused) setMessages(messages.slice(0, -1));
    void sendMessage({ text: isRefused ? `${textOf(last.parts)}\n\n${text}` : text });
  };

  return {
    title,
    modelId,
    active,
    /** The script of the running answer that asks or runs. */
    script,
    messages,
    isReading,
    /** Set when the chat was deleted. */
    gone,
    refresh,
    /** An answer is running, for this page or another one. */
    isBusy: isReading || isAnswering,
    isWaiting: isReading ? !hasBegun(messages.at(-1)) : isAnswering,
    /** False while the connection is lost during an answer. */
    isConnected,
    /** Failures of the answer itself are in its message. */
    error: status === "error" && messages.at(-1)?.metadata?.failure === undefined ? error : undefined,
    send,
    edit: (messageId: string, text: string) => {
      keepDraft(initial.id, text);
      void sendMessage({ text, messageId });
    },
    retry: (messageId?: string) => void regenerate({ messageId }),
    stop: async () => {
      const turn = turns.current;
      await request<void>(`${path}/stop`, { method: "POST" }).catch(() => {});
      // The server ends the stream; if the connection stays open anyway, it is closed here.
      setTimeout(() => reading.current && turns.current === turn && void stop(), 1500);
    },
    unload: async (name: string) => {
      await request<void>(`${path}/skills/${encodeURIComponent(name)}`, { method: "DELETE" });
      setActive((before) => before.filter((skill) => skill.name !== name));
    },
    consent: (call: string, answer: ConsentChoice) => {
      const body: Consent = { call, answer };
      return request<void>(`${path}/consent`, { method: "POST", body });
    },
    chooseModel: async (next: string) => {
      setModelId(next);
      await request<ChatSummary>(path, { method: "PATCH", body: { modelId: next } });
    },
  };
}

/** Whether a message was stored although the response to it was lost. */
function isTaken(asked: ChatMessage, stored: readonly ChatMessage[], { status }: RequestError): boolean {
  const found = stored.find(({ id }) => id === asked.id);
  return LOST.has(status) && found !== undefined && textOf(found.parts) === textOf(asked.parts);
}

/** No response, or a proxy's. */
const LOST: ReadonlySet<number> = new Set([0, 502, 504]);

/** Whether there is something of the answer to see. */
function hasBegun(last: ChatMessage | undefined): boolean {
  if (last?.role !== "assistant") return false;
  return last.parts.some((part) =>
    part.type === "data-retry" ? part.data !== null : part.type !== "step-start" && part.type !== "data-active",
  );
}

function isSame(before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean {
  const keyOf = ({ id, parts, metadata }: ChatMessage) =>
    `${id} ${textOf(parts)} ${metadata?.isCut} ${metadata?.failure}`;
  return before.length === after.length && before.every((message, i) => keyOf(message) === keyOf(after[i] ?? message));
}

function textOf(parts: ChatMessage["parts"]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
