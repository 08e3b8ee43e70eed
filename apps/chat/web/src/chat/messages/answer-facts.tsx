import type { MessageMetadata } from "../../../../shared/api.ts";
import { useApp } from "../../api/app-state.tsx";

/** Which model wrote an answer, and when, in a quiet line. */
export function AnswerFacts({ metadata }: { readonly metadata: MessageMetadata | undefined }) {
  const { models } = useApp().state;
  const { createdAt, modelId } = metadata ?? {};
  const date = createdAt === undefined ? undefined : new Date(createdAt);
  const facts = [
    models.find(({ id }) => id === modelId)?.label ?? modelId,
    date && <Moment key="time" date={date} />,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <p className="answer-facts">
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of an answer do not change
        <span key={at}>
          {at > 0 && " · "}
          {fact}
        </span>
      ))}
    </p>
  );
}

/** The time, and the date of other days. */
function Moment({ date }: { readonly date: Date }) {
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  const day = date.toLocaleDateString([], { day: "numeric", month: "short" });
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {isToday ? time : `${day}, ${time}`}
    </time>
  );
}
