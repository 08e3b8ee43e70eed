import { type UIMessage, useChat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type {
  ActiveSkill,
  Chat,
  ChatData,
  ChatMessage,
  ChatSummary,
  ChatTools,
  Consent,
  ConsentChoice,
  MessageMetadata,
  MessageReference,
} from "../../../shared/api.ts";
import type { Attachment } from "../../../shared/attachments-api.ts";
import { useApp } from "../api/app-state.tsx";
import { RequestError, request } from "../api/request.ts";
import { turnTransport } from "../api/turn-transport.ts";
import { useAppEvents } from "../api/use-app-events.ts";
import { dropDraftFiles } from "../attachments/draft-files.ts";
import { attachmentsOf, messageParts } from "../attachments/message-parts.ts";
import { dropDraft, keepDraft, readDraft } from "./draft.ts";
import { takeWaitingTurn } from "./first-turn.ts";

/** A `ChatMessage` in the types of the hook, which can bring another version of `ai`: there, the type of data gets lost. */
type HookMessage = UIMessage<MessageMetadata, ChatData, ChatTools>;

/** A chat in sync with the server: its messages, active skills, title and model. */
export function useSyncedChat(initial: Chat) {
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
  const [siblings, setSiblings] = useState(initial.siblings);
  const [stored] = useState(() => new Set(initial.messages.map(({ id }) => id)));
  const [edits] = useState(() => new Map<string, string>());
  const transport = useMemo(() => {
    const onTaken = (message: ChatMessage) => {
      stored.add(message.id);
      dropDraft(initial.id, textOf(message.parts));
      dropDraftFiles(initial.id, new Set(attachmentsOf(message).map(({ id }) => id)));
    };
    const options = { stored, edits, onTaken, onConnection: setConnected };
    return turnTransport(initial.id, () => latestModel.current, options);
  }, [initial.id, stored, edits]);
  const chat = useChat<HookMessage>({
    id: initial.id,
    messages: [...initial.messages],
    transport,
    throttle: 60,
    onData: (part) => {
      if (part.type === "data-active") setActive(part.data);
      if (part.type === "data-script") setScript(part.data ?? undefined);
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
    if (first) void sendMessage({ parts: messageParts(first.text, first.files) });
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

  /** Counts the requests for the chat: the one that was sent last, and the latest one whose response was used. */
  const requests = useRef({ sent: 0, used: 0 });
  const refresh = useCallback(async () => {
    const [startedReading, turn, number] = [reading.current, turns.current, ++requests.current.sent];
    const chat = await request<Chat>(path).catch((reason: unknown) => {
      if (!(reason instanceof RequestError) || reason.status !== 404) return;
      setGone(reason.code === "chat-in-bin" ? "in-bin" : "deleted");
    });
    if (!chat) return;
    setGone(undefined);
    setTitle(chat.title);
    // The answer that this page reads, or has read meanwhile, is newer. So is the response to a later request.
    if (startedReading || reading.current || turn !== turns.current || number < requests.current.used) return;
    requests.current.used = number;
    setActive(chat.active);
    setSiblings(chat.siblings);
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

  const send = (text: string, files: readonly Attachment[]) => {
    const last = messages.at(-1);
    if (!(error instanceof RequestError) || last?.role !== "user" || stored.has(last.id)) {
      return void sendMessage({ parts: messageParts(text, files) });
    }
    // The words of a message that was not accepted are sent with the next one, to the same place.
    const words = `${textOf(last.parts)}\n\n${text}`.trim();
    const kept = FILES_REFUSED.has(error.code) ? [] : attachmentsOf(last);
    keepDraft(initial.id, words);
    sendInPlaceOf(last.id, messageParts(words, [...kept, ...files]));
  };
  /** Sends a message in the place of one that is shown. */
  const sendInPlaceOf = (replacedId: string, parts: ChatMessage["parts"]) => {
    const id = crypto.randomUUID();
    const replaced = stored.has(replacedId) ? replacedId : edits.get(replacedId);
    if (replaced !== undefined) edits.set(id, replaced);
    setMessages(
      messages.slice(
        0,
        messages.findIndex((message) => message.id === replacedId),
      ),
    );
    void sendMessage({ id, role: "user", parts });
  };

  return {
    title,
    modelId,
    active,
    /** The script of the running answer that asks or runs. */
    script,
    messages,
    /** The ids of the messages in the same place, for each that is shown and has others beside it. */
    siblings,
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
      // A text in the field is not lost to an edit.
      if (readDraft(initial.id) === "") keepDraft(initial.id, text);
      const files = messages.filter(({ id }) => id === messageId).flatMap(attachmentsOf);
      sendInPlaceOf(messageId, messageParts(text, files));
    },
    showBranch: async (messageId: string) => {
      const body: MessageReference = { messageId };
      await request<void>(`${path}/branch`, { method: "POST", body });
      await refresh();
    },
    fork: (messageId: string) => {
      const body: MessageReference = { messageId };
      return request<ChatSummary>(`${path}/fork`, { method: "POST", body });
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
    rename: async (next: string) => {
      setTitle(next);
      await request<ChatSummary>(path, { method: "PATCH", body: { title: next } });
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

/** The codes of failures that sending the same files again would repeat. */
const FILES_REFUSED: ReadonlySet<string> = new Set(["attachment-gone", "too-many-files"]);

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
