import { useState } from "react";
import { useApp } from "../api/app-state.tsx";
import { sentenceOf } from "../api/request.ts";
import { PageHeader } from "../page-header.tsx";
import { Failure } from "../ui/failure.tsx";
import { Composer } from "./composer.tsx";
import { startChat } from "./first-turn.ts";
import { ModelPicker } from "./model-picker.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { Suggestions } from "./suggestions.tsx";

/** A chat that does not exist before its first message. */
export function DraftPage() {
  const { state } = useApp();
  const [text, setText] = useState("");
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
        <Suggestions onChoose={setText} />
      </div>
      <div className="composer-dock">
        {error && <Failure message={error} onRetry={() => void start()} />}
        <Composer text={text} onText={setText} onSend={() => void start()} />
      </div>
    </>
  );
}
