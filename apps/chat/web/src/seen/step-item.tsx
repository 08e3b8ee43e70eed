import { useId, useState } from "react";
import type { StepEvent, StepView } from "../../../shared/steps-api.ts";
import { Badge } from "../ui/badge.tsx";
import { countText } from "../ui/count-text.ts";
import { Icon } from "../ui/icon.tsx";
import { PartsBar } from "./context-bar.tsx";
import { describeEvent, type EventWords } from "./describe-event.ts";
import { stepUsageText, timeText } from "./figures.ts";
import { RequestView } from "./request-view.tsx";

interface StepItemProps {
  readonly path: string;
  readonly step: StepView;
  readonly next: StepView | undefined;
  /** When the first step began. */
  readonly start: number;
  /** The tokens of the answer's largest request. */
  readonly largest: number;
}

/** One step of an answer: what happened before the request, the request, and what its calls did. */
export function StepItem({ path, step, next, start, largest }: StepItemProps) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const { startedAt, usage, parts, events, changed } = step;
  const after = (at: number) => `+${timeText(at - start)}`;
  const isBefore = ({ at }: StepEvent) => at <= startedAt;
  const show = (event: StepEvent, key: string) => (
    <EventLine
      key={key}
      words={describeEvent(event, isBefore(event) ? parts : (next?.parts ?? []))}
      time={after(event.at)}
    />
  );
  const early = events.filter(isBefore);
  const late = events.filter((event) => !isBefore(event));
  return (
    <li className="seen-step">
      <div className="seen-step-head">
        <h4>Step {step.step}</h4>
        {changed.map(({ skill, isGone }) => (
          <Badge key={skill} tone="warning">
            {skill} {isGone ? "no longer available" : "changed since"}
          </Badge>
        ))}
        <span className="seen-number">{stepUsageText(usage)}</span>
      </div>
      {parts.length > 0 && <PartsBar parts={parts} whole={largest} />}
      <ul className="seen-events">
        {early.map((event, index) => show(event, `early ${index}`))}
        <EventLine words={askedWords(step)} time={after(startedAt)} />
        {late.map((event, index) => show(event, `late ${index}`))}
        {step.moreEvents > 0 && (
          <li className="seen-event">
            <span>{countText(step.moreEvents, "more event")} not recorded</span>
          </li>
        )}
      </ul>
      {step.hasRequest ? (
        <button
          type="button"
          className="seen-disclosure"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="chevron" />
          {isOpen ? "Hide the request" : "Show the request"}
        </button>
      ) : (
        <p className="hint">The request was too large to record.</p>
      )}
      <div id={bodyId}>{isOpen && <RequestView path={`${path}/request?step=${step.step}`} />}</div>
    </li>
  );
}

/** "The model called tools", with the time that it took. */
function askedWords({ outcome, finish, startedAt, answeredAt }: StepView): EventWords {
  const took = answeredAt === undefined ? [] : [timeText(answeredAt - startedAt)];
  const plain = { icon: "send", tone: "plain" } as const;
  if (outcome === "failed") return { icon: "alert", tone: "warning", sentence: "The model failed", details: took };
  if (outcome === "cut") return { icon: "stop", tone: "warning", sentence: "The answer was cut off", details: took };
  const sentence = FINISHES[finish ?? ""] ?? "The model answered";
  return { ...plain, sentence, details: took };
}

const FINISHES: Readonly<Record<string, string>> = {
  "tool-calls": "The model called tools",
  length: "The model reached its output limit",
  "content-filter": "The provider's filter stopped the model",
};

function EventLine({ words, time }: { readonly words: EventWords; readonly time: string }) {
  return (
    <li className={`seen-event ${words.tone}`}>
      <Icon name={words.icon} />
      <span className="seen-sentence">
        {words.sentence}
        {words.details.length > 0 && <small> {words.details.join(" · ")}</small>}
      </span>
      <time>{time}</time>
    </li>
  );
}
