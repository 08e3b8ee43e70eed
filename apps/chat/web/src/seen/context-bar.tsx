import type { ContextPart, StepView } from "../../../shared/steps-api.ts";
import { countText } from "../ui/count-text.ts";
import { numberText } from "./figures.ts";
import { inOrder, KIND_WORDS, subjectOf, tokensOf } from "./part-words.ts";

interface ContextBarProps {
  readonly parts: readonly ContextPart[];
  readonly step: StepView;
  readonly limit: number | undefined;
}

/** What the context of a request consists of: a bar in proportion, a legend, and the room that is left. */
export function ContextBar({ parts, step, limit }: ContextBarProps) {
  const ordered = inOrder(parts);
  const total = tokensOf(parts);
  return (
    <section className="seen-context">
      <h3>
        Context
        <span>{step.step === 1 ? "of the request" : `of step ${step.step}, the last request`}</span>
      </h3>
      <PartsBar parts={parts} />
      <ul className="seen-legend">
        {ordered.map((part) => (
          <li key={`${part.kind} ${part.skill} ${part.path}`}>
            <i className={`seen-swatch ${part.kind}`} />
            <span className="seen-label">
              {KIND_WORDS[part.kind]}
              {subjectOf(part) && <b>{subjectOf(part)}</b>}
            </span>
            <span className="seen-number">{numberText(part.tokens)}</span>
          </li>
        ))}
        <li className="seen-sum">
          <span className="seen-label">
            Total
            <small>estimated</small>
          </span>
          <span className="seen-number">
            {numberText(total)}
            {limit !== undefined && <small> / {numberText(limit)}</small>}
          </span>
        </li>
      </ul>
      {limit !== undefined && (
        <div className="seen-room">
          <div className="seen-gauge">
            <i style={{ width: `${Math.min(100, Math.max((total / limit) * 100, 0.6))}%` }} />
          </div>
          <span>{countText(Math.max(0, limit - total), "token")} left</span>
        </div>
      )}
    </section>
  );
}

interface PartsBarProps {
  readonly parts: readonly ContextPart[];
  /** The size of the whole width in tokens; by default the bar is full. */
  readonly whole?: number;
}

/** Decorative: the legend and the numbers beside it say the same. */
export function PartsBar({ parts, whole = tokensOf(parts) }: PartsBarProps) {
  return (
    <div className="seen-bar" aria-hidden="true">
      {inOrder(parts).map((part) => (
        <i
          key={`${part.kind} ${part.skill} ${part.path}`}
          className={`seen-swatch ${part.kind}`}
          style={{ width: `${(part.tokens / Math.max(1, whole)) * 100}%` }}
          title={[KIND_WORDS[part.kind], subjectOf(part), numberText(part.tokens)].filter(Boolean).join(" · ")}
        />
      ))}
    </div>
  );
}
