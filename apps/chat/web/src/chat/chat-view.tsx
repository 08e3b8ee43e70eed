import type { Chat } from "../../../shared/api.ts";
import { sentenceOf } from "../api/request.ts";
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
import { ScriptContext } from "./messages/live-script.ts";
import { MessageView } from "./messages/message-view.tsx";
import { LiveScriptCard } from "./messages/script-card.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { useSyncedChat } from "./use-synced-chat.ts";

export function ChatView({ initial }: { readonly initial: Chat }) {
  const chat = useSyncedChat(initial);
  const { messages, isBusy } = chat;
  const draft = useDraft(initial.id, { isBeingSent: waitingTurn(initial.id) !== undefined });
  const showToast = useToast();
  const end = useStickToEnd(messages);
  const last = messages.at(-1);
  const isUnanswered = last?.role === "user" && !isBusy && !chat.isGone && chat.error === undefined;

  const send = () => {
    draft.clear();
    end.stick();
    chat.send(draft.text);
  };
  const scripts = { chatId: initial.id, live: chat.script, answer: chat.consent };
  const attempt = (work: Promise<unknown>) => void work.catch((error) => showToast(sentenceOf(error)));

  return (
    <ScriptContext value={scripts}>
      <PageHeader title={chat.title || "New chat"}>
        <ModelPicker modelId={chat.modelId} onChange={(id) => attempt(chat.chooseModel(id))} />
      </PageHeader>
      <OfflineBanner modelId={chat.modelId} />
      <div className={messages.length === 0 ? "conversation is-empty" : "conversation"} ref={end.scroller}>
        {messages.length === 0 && !isBusy && <Suggestions onChoose={draft.write} />}
        <ol className="messages" aria-label="Messages">
          {messages.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              isStreaming={chat.isReading && message === last}
              isBusy={isBusy}
              onRetry={chat.retry}
              onEdit={chat.edit}
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
        {chat.isGone && <Failure message="This chat was deleted." />}
        {chat.error && <Failure message={sentenceOf(chat.error)} onRetry={() => chat.retry()} />}
        <LiveAnswer message={last?.role === "assistant" ? last : undefined} isBusy={chat.isReading} />
      </div>
      <div className="composer-dock">
        {!end.isAtEnd && (
          <IconButton className="to-end" icon="down" label="Jump to the latest message" onClick={end.stick} />
        )}
        <ActiveSkills skills={chat.active} onUnload={(name) => attempt(chat.unload(name))} />
        <Composer
          text={draft.text}
          onText={draft.write}
          onSend={send}
          isBusy={isBusy}
          onStop={() => void chat.stop()}
        />
      </div>
    </ScriptContext>
  );
}
