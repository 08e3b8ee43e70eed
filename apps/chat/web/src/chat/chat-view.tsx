import { useCallback, useMemo, useRef, useState } from "react";
import type { Chat } from "../../../shared/api.ts";
import { sentenceOf } from "../api/request.ts";
import { useAttachments } from "../attachments/use-attachments.ts";
import { useSendAfterUpload } from "../attachments/use-send-after-upload.ts";
import { InBin } from "../bin/in-bin.tsx";
import { chatPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import { Seen } from "../seen/seen.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useToast } from "../ui/toast.tsx";
import { ActiveSkills } from "./active-skills.tsx";
import { AnswerProgress } from "./answer-progress.tsx";
import { Composer } from "./composer.tsx";
import { useDraft, withTask } from "./draft.ts";
import { waitingTurn } from "./first-turn.ts";
import { keepModel } from "./last-model.ts";
import { LiveAnswer } from "./live-answer.tsx";
import { sizeProblem } from "./message-size.ts";
import { ScriptContext } from "./messages/live-script.ts";
import { MessageView } from "./messages/message-view.tsx";
import { LiveScriptCard } from "./messages/script-card.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { useModelRequests } from "./model-requests.ts";
import { OfflineBanner } from "./offline-banner.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useEscapeToStop } from "./use-escape-to-stop.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { useSyncedChat } from "./use-synced-chat.ts";

export function ChatView({ initial }: { readonly initial: Chat }) {
  const chat = useSyncedChat(initial);
  const { messages, isBusy } = chat;
  const draft = useDraft(initial.id, { isBeingSent: waitingTurn(initial.id) !== undefined });
  const files = useAttachments(initial.id, { isBeingSent: waitingTurn(initial.id) !== undefined });
  const showToast = useToast();
  const end = useStickToEnd();
  const field = useRef<HTMLTextAreaElement>(null);
  const last = messages.at(-1);
  const failure = chat.error ? sentenceOf(chat.error) : chat.isReading ? undefined : last?.metadata?.failure;
  const isUnanswered = last?.role === "user" && !isBusy && chat.gone === undefined && chat.error === undefined;

  /** The version that was switched to, for screen readers. */
  const [version, setVersion] = useState("");
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
    files?.clear();
    end.stick();
    chat.send(draft.text, files?.done ?? []);
  };
  const attempt = useCallback(
    (work: Promise<unknown>) => void work.catch((error) => showToast(sentenceOf(error))),
    [showToast],
  );
  const sending = useSendAfterUpload({ text: draft.text, files, isBusy }, send);
  // The same functions on every render, so that finished messages are not drawn again.
  const latest = useRef(chat);
  latest.current = chat;
  const actions = useMemo(
    () => ({
      retry: (id: string) => latest.current.retry(id),
      edit: (id: string, text: string) => {
        latest.current.edit(id, text);
        field.current?.focus();
      },
      showBranch: (id: string, name: string) => {
        // Emptied first, so that the same name is announced again.
        setVersion("");
        attempt(latest.current.showBranch(id).then(() => setVersion(name)));
      },
      fork: (id: string) => attempt(latest.current.fork(id).then((fork) => navigate(chatPath(fork.id)))),
      consent: ((call, answer) => latest.current.consent(call, answer)) satisfies typeof chat.consent,
    }),
    [attempt],
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
  const chooseModel = (id: string) => {
    keepModel(id);
    attempt(chat.chooseModel(id));
  };
  useModelRequests(chooseModel);
  useEscapeToStop(isBusy, () => void chat.stop());

  return (
    <ScriptContext value={scripts}>
      <PageHeader title={chat.title || "New chat"} onRename={(title) => attempt(chat.rename(title))} />
      <OfflineBanner modelId={chat.modelId} />
      <div
        className={messages.length === 0 ? "conversation is-empty" : "conversation"}
        ref={end.scroller}
        data-scroller=""
      >
        <div ref={end.content}>
          {messages.length === 0 && !isBusy && <Suggestions onChoose={(task) => write(withTask(draft.text, task))} />}
          <ol className={isBusy ? "messages is-busy" : "messages"} aria-label="Messages">
            {messages.map((message, index) => (
              <MessageView
                key={message.id}
                message={message}
                startsNear={index >= messages.length - DRAWN_AT_ONCE}
                isStreaming={chat.isReading && message === last}
                isLast={message === last}
                siblings={chat.siblings[message.id]}
                onRetry={actions.retry}
                onEdit={actions.edit}
                onBranch={actions.showBranch}
                onFork={actions.fork}
              />
            ))}
          </ol>
          <p className="visually-hidden version-status" role="status">
            {version}
          </p>
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
      <div className="composer-dock">
        {!end.isAtEnd && (
          <IconButton className="to-end" icon="down" label="Jump to the latest message" onClick={end.stick} />
        )}
        {problem && <Failure message={problem} />}
        <Composer
          field={field}
          text={draft.text}
          onText={write}
          onSend={sending.send}
          files={files}
          isWaiting={sending.isWaiting}
          isBusy={isBusy}
          onStop={() => void chat.stop()}
        >
          <ModelPicker modelId={chat.modelId} onChange={chooseModel} />
          <ActiveSkills skills={chat.active} onUnload={(name) => attempt(unload(name))} />
        </Composer>
      </div>
      <Seen chatId={initial.id} messages={messages} running={chat.isReading ? last?.id : undefined} />
    </ScriptContext>
  );
}

/** The messages at the end that are drawn in full at once. */
const DRAWN_AT_ONCE = 12;
