import { useRef, useState } from "react";
import { useApp } from "../api/app-state.tsx";
import { sentenceOf } from "../api/request.ts";
import { useAttachments } from "../attachments/use-attachments.ts";
import { useSendAfterUpload } from "../attachments/use-send-after-upload.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Composer } from "./composer.tsx";
import { NEW_CHAT, useDraft, withTask } from "./draft.ts";
import { startChat } from "./first-turn.ts";
import { keepModel, lastModel } from "./last-model.ts";
import { sizeProblem } from "./message-size.ts";
import { ModelPicker } from "./model-picker.tsx";
import { useModelRequests } from "./model-requests.ts";
import { OfflineBanner } from "./offline-banner.tsx";
import { Suggestions } from "./suggestions.tsx";

/** A new chat. It is created when its first message is sent. */
export function DraftPage() {
  const { state } = useApp();
  const { text, write } = useDraft(NEW_CHAT);
  const files = useAttachments(NEW_CHAT);
  const [modelId, setModelId] = useState(() => lastModel(state));
  const [error, setError] = useState<string | undefined>();

  const chooseModel = (id: string) => {
    keepModel(id);
    setModelId(id);
  };
  useModelRequests(chooseModel);
  const field = useRef<HTMLTextAreaElement>(null);
  const problem = sizeProblem(text);
  const isStarting = useRef(false);
  const start = async () => {
    setError(problem);
    // A second Enter must not create a second chat.
    if (problem !== undefined || isStarting.current) return;
    isStarting.current = true;
    try {
      await startChat({ text, files: files?.done ?? [] }, modelId);
    } catch (failure) {
      setError(sentenceOf(failure));
    } finally {
      isStarting.current = false;
    }
  };
  const sending = useSendAfterUpload({ text, files }, () => void start());
  return (
    <>
      <PageHeader title="New chat" />
      <OfflineBanner modelId={modelId} />
      <div className="conversation is-empty">
        <Suggestions onChoose={(task) => write(withTask(text, task))} />
      </div>
      <div className="composer-dock">
        {error && <Failure message={error} onRetry={problem === undefined ? () => void start() : undefined} />}
        <Composer
          field={field}
          text={text}
          onText={write}
          onSend={sending.send}
          files={files}
          isWaiting={sending.isWaiting}
        >
          <ModelPicker modelId={modelId} onChange={chooseModel} />
        </Composer>
      </div>
    </>
  );
}
