import { useState } from "react";
import { useApp } from "../api/app-state.tsx";
import { sentenceOf } from "../api/request.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Composer } from "./composer.tsx";
import { NEW_CHAT, useDraft } from "./draft.ts";
import { startChat } from "./first-turn.ts";
import { ModelPicker } from "./model-picker.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { Suggestions } from "./suggestions.tsx";

/** A new chat. It is created when its first message is sent. */
export function DraftPage() {
  const { state } = useApp();
  const { text, write } = useDraft(NEW_CHAT);
  const [modelId, setModelId] = useState(state.defaultModelId);
  const [error, setError] = useState<string | undefined>();

  const start = async () => {
    setError(undefined);
    try {
      await startChat(text, modelId);
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  return (
    <>
      <PageHeader title="New chat">
        <ModelPicker modelId={modelId} onChange={setModelId} />
      </PageHeader>
      <OfflineBanner modelId={modelId} />
      <div className="conversation is-empty">
        <Suggestions onChoose={write} />
      </div>
      <div className="composer-dock">
        {error && <Failure message={error} onRetry={() => void start()} />}
        <Composer text={text} onText={write} onSend={() => void start()} />
      </div>
    </>
  );
}
