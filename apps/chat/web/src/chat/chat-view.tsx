import { useCallback, useMemo, useRef, useState } from "react";
import type { Chat } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { sentenceOf } from "../api/request.ts";
import type { OnReplaced } from "../api/turn-transport.ts";
import { InBin } from "../bin/in-bin.tsx";
import { useUndoToast } from "../bin/use-undo-toast.ts";
import { countText } from "../skills/state-words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useToast } from "../ui/toast.tsx";
import { ActiveSkills } from "./active-skills.tsx";
import { AnswerProgress } from "./answer-progress.tsx";
import { Composer } from "./composer.tsx";
import { useDraft } from "./draft.ts";
import { waitingTurn } from "./first-turn.ts";
import { LiveAnswer } from "./live-answer.tsx";
import { sizeProblem } from "./message-size.ts";
import { ScriptContext } from "./messages/live-script.ts";
import { MessageView } from "./messages/message-view.tsx";
import { LiveScriptCard } from "./messages/script-card.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { ReplaceDialog } from "./replace-dialog.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { useSyncedChat } from "./use-synced-chat.ts";

export function ChatView({ initial }: { readonly initial: Chat }) {
  const { binDays } = useApp().state;
  const showUndo = useUndoToast();
  const onReplaced = useCallback<OnReplaced>(
    (entryId, count) => showUndo(`${countText(count, "message")} replaced`, entryId),
    [showUndo],
  );
  const chat = useSyncedChat(initial, onReplaced);
  const { messages, isBusy } = chat;
  const draft = useDraft(initial.id, { isBeingSent: waitingTurn(initial.id) !== undefined });
  const showToast = useToast();
  const end = useStickToEnd();
  const field = useRef<HTMLTextAreaElement>(null);
  const last = messages.at(-1);
  const failure = chat.error ? sentenceOf(chat.error) : chat.isReading ? undefined : last?.metadata?.failure;
  const isUnanswered = last?.role === "user" && !isBusy && chat.gone === undefined && chat.error === undefined;

  const [problem, setProblem] = useState<string | undefined>();
  const write = (text: string) => {
    setProblem(undefined);
    draft.write(text);
  };
  const send = () => {
    const found = sizeProblem(draft.text);
    setProblem(found);
    if (found !== undefined) return;
    draft.clear();
    end.stick();
    chat.send(draft.text);
  };
  // The same functions on every render, so that finished messages are not drawn again.
  const latest = useRef(chat);
  latest.current = chat;
  const [replacing, setReplacing] = useState<{ readonly id: string; readonly count: number } | undefined>();
  const actions = useMemo(
    () => ({
      retry: (id: string) => {
        const shown = latest.current.messages;
        const count = shown.length - 1 - shown.findIndex((message) => message.id === id);
        if (count > 0) setReplacing({ id, count });
        else latest.current.retry(id);
      },
      edit: (id: string, text: string) => {
        latest.current.edit(id, text);
        field.current?.focus();
      },
      consent: ((call, answer) => latest.current.consent(call, answer)) satisfies typeof chat.consent,
    }),
    [],
  );
  const scripts = useMemo(
    () => ({ chatId: initial.id, live: chat.script, answer: actions.consent }),
    [initial.id, chat.script, actions],
  );
  // For buttons that disappear with the focus. On touch screens, focusing the field would open the keyboard.
  const focusField = () => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  };
  const unload = async (name: string) => {
    await chat.unload(name);
    focusField();
  };
  const showRestored = async () => {
    focusField();
    await chat.refresh();
  };
  const attempt = (work: Promise<unknown>) => void work.catch((error) => showToast(sentenceOf(error)));

  return (
    <ScriptContext value={scripts}>
      <PageHeader title={chat.title || "New chat"}>
        <ModelPicker modelId={chat.modelId} onChange={(id) => attempt(chat.chooseModel(id))} />
      </PageHeader>
      <OfflineBanner modelId={chat.modelId} />
      <div
        className={messages.length === 0 ? "conversation is-empty" : "conversation"}
        ref={end.scroller}
        data-scroller=""
      >
        <div ref={end.content}>
          {messages.length === 0 && !isBusy && <Suggestions onChoose={draft.write} />}
          <ol className={isBusy ? "messages is-busy" : "messages"} aria-label="Messages">
            {messages.map((message, index) => (
              <MessageView
                key={message.id}
                message={message}
                startsNear={index >= messages.length - DRAWN_AT_ONCE}
                isStreaming={chat.isReading && message === last}
                isLast={message === last}
                onRetry={actions.retry}
                onEdit={actions.edit}
              />
            ))}
          </ol>
          <AnswerProgress isWaiting={chat.isWaiting} isConnected={chat.isConnected} />
          {chat.script && !chat.isReading && <LiveScriptCard live={chat.script} />}
          {isUnanswered && (
            <div className="unanswered">
              <p className="note">This message has no answer.</p>
              <Button icon="refresh" onClick={() => chat.retry()}>
                Regenerate
              </Button>
            </div>
          )}
          {chat.gone === "deleted" && <Failure message="This chat was deleted." />}
          {chat.gone === "in-bin" && <InBin chatId={initial.id} onRestored={showRestored} />}
          {failure !== undefined && <Failure message={failure} onRetry={() => chat.retry()} />}
          <LiveAnswer message={last?.role === "assistant" ? last : undefined} isBusy={chat.isReading} />
        </div>
      </div>
      {replacing && (
        <ReplaceDialog
          count={replacing.count}
          hasBin={binDays > 0}
          onConfirm={() => {
            setReplacing(undefined);
            chat.retry(replacing.id);
          }}
          onClose={() => setReplacing(undefined)}
        />
      )}
      <div className="composer-dock">
        {!end.isAtEnd && (
          <IconButton className="to-end" icon="down" label="Jump to the latest message" onClick={end.stick} />
        )}
        {problem && <Failure message={problem} />}
        <ActiveSkills skills={chat.active} onUnload={(name) => attempt(unload(name))} />
        <Composer
          field={field}
          text={draft.text}
          onText={write}
          onSend={send}
          isBusy={isBusy}
          onStop={() => void chat.stop()}
        />
      </div>
    </ScriptContext>
  );
}

/** The messages at the end that are drawn in full at once. */
const DRAWN_AT_ONCE = 12;
