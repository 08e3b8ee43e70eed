import { useEffect, useRef, useState } from "react";
import type { ChatMessage } from "../../../shared/api.ts";
import { answerText } from "./messages/message-text.ts";

interface LiveAnswerProps {
  readonly message: ChatMessage | undefined;
  readonly isBusy: boolean;
}

/** Announces the answer to screen readers in whole sentences every two seconds, not word by word. */
export function LiveAnswer({ message, isBusy }: LiveAnswerProps) {
  const [spoken, setSpoken] = useState("");
  const latest = useRef("");
  latest.current = message ? answerText(message) : "";
  const said = useRef(0);

  useEffect(() => {
    if (!isBusy) return;
    said.current = 0;
    const say = (until: number) => {
      const chunk = latest.current.slice(said.current, until).trim();
      said.current = Math.max(said.current, until);
      if (chunk !== "") setSpoken(withoutMarks(chunk));
    };
    const timer = setInterval(() => say(endOfLastSentence(latest.current)), 2000);
    return () => {
      clearInterval(timer);
      // The last words render shortly after the answer ends.
      setTimeout(() => say(latest.current.length), 200);
    };
  }, [isBusy]);
  // The announcement is cleared, so that only the message itself can be navigated to.
  useEffect(() => {
    if (isBusy || spoken === "") return;
    const timer = setTimeout(() => setSpoken(""), 4000);
    return () => clearTimeout(timer);
  }, [isBusy, spoken]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {spoken}
    </div>
  );
}

/** Removes Markdown characters that would be read aloud. */
function withoutMarks(text: string): string {
  return text.replace(/[`*#|]+/g, "");
}

function endOfLastSentence(text: string): number {
  return Math.max(...[". ", "? ", "! ", "\n"].map((end) => text.lastIndexOf(end) + 1));
}
