import { useEffect } from "react";
import type { ChatMessage } from "../../../shared/api.ts";
import type { AnswerStepsView, StepView } from "../../../shared/steps-api.ts";
import { useApp } from "../api/app-state.tsx";
import { useResource } from "../api/use-resource.ts";
import { countText } from "../ui/count-text.ts";
import { Failure } from "../ui/failure.tsx";
import { ContextBar } from "./context-bar.tsx";
import { approximate, costText, numberText, timeText, usageText } from "./figures.ts";
import { tokensOf } from "./part-words.ts";
import { SeenSkeleton } from "./seen-skeleton.tsx";
import { StepItem } from "./step-item.tsx";

interface AnswerStepsProps {
  readonly chatId: string;
  readonly answer: ChatMessage;
}

/** The context of an answer's last request, and the timeline of its steps. */
export function AnswerSteps({ chatId, answer }: AnswerStepsProps) {
  const path = `/api/chats/${encodeURIComponent(chatId)}/answers/${encodeURIComponent(answer.id)}`;
  const { data, error, reload } = useResource<AnswerStepsView>(`${path}/steps`);
  // The usage is the last that a running answer gets.
  const { usage } = answer.metadata ?? {};
  useEffect(() => {
    if (usage !== undefined) void reload();
  }, [usage, reload]);
  if (data === undefined) {
    return (
      <div className="seen-body">
        {error === undefined ? <SeenSkeleton /> : <Failure message={error} onRetry={() => void reload()} />}
      </div>
    );
  }
  const last = data.steps.findLast(({ hasRequest }) => hasRequest) ?? data.steps.at(-1);
  if (last === undefined) {
    return (
      <div className="seen-body">
        <p className="seen-none">
          <strong>Not recorded</strong>
          The steps of this answer were not recorded: it is older than this view, or the server stopped before its first
          step was complete.
        </p>
      </div>
    );
  }
  return (
    <div className="seen-body">
      <Totals steps={data.steps} createdAt={answer.metadata?.createdAt} />
      {last.parts.length > 0 && <ContextBar parts={last.parts} step={last} limit={data.limit} />}
      <section>
        <h3>Timeline</h3>
        <Timeline path={path} steps={data.steps} />
      </section>
      <p className="seen-foot">
        This chat: {countText(data.chat.answers, "answer")} · {usageText(data.chat)}
      </p>
    </div>
  );
}

interface TotalsProps {
  readonly steps: readonly StepView[];
  readonly createdAt: string | undefined;
}

interface Figure {
  readonly name: string;
  readonly value: string;
  /** Only in the accessible text, because a phone has no room for it. */
  readonly unit?: string;
  readonly note?: string | undefined;
}

function Totals({ steps, createdAt }: TotalsProps) {
  const { models } = useApp().state;
  const sum = (of: (step: StepView) => number) => steps.reduce((total, step) => total + of(step), 0);
  const isEstimate = steps.some(({ usage }) => usage.isEstimate);
  const isPriced = steps.every(({ usage }) => usage.cost !== undefined);
  const [first, last] = [steps[0], steps.at(-1)];
  const duration = (last?.answeredAt ?? last?.startedAt ?? 0) - (first?.startedAt ?? 0);
  const cached = sum(({ usage }) => usage.cached ?? 0);
  const tokens = (of: (step: StepView) => number) => approximate(numberText(sum(of)), isEstimate);
  const figures: readonly Figure[] = [
    {
      name: "Input",
      value: tokens(({ usage }) => usage.input),
      unit: "tokens",
      note: cached > 0 ? `${numberText(cached)} cached` : undefined,
    },
    { name: "Output", value: tokens(({ usage }) => usage.output), unit: "tokens" },
    ...(isPriced ? [{ name: "Cost", value: costText({ cost: sum(({ usage }) => usage.cost ?? 0), isEstimate }) }] : []),
    { name: "Time", value: timeText(duration) },
  ];
  const label = models.find(({ id }) => id === last?.modelId)?.label ?? last?.modelId;
  return (
    <section className="seen-totals" aria-label="Totals">
      <dl>
        {figures.map(({ name, value, unit, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {unit && <span className="visually-hidden"> {unit}</span>}
              {note && <span className="seen-cached">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p>
        {[
          label,
          countText(steps.length, "step"),
          ...(createdAt === undefined ? [] : [new Date(createdAt).toLocaleString([], MOMENT)]),
        ].join(" · ")}
        {isEstimate && " · the model reports no tokens, so they are estimated"}
      </p>
    </section>
  );
}

const MOMENT = { dateStyle: "medium", timeStyle: "short" } as const;

function Timeline({ path, steps }: { readonly path: string; readonly steps: readonly StepView[] }) {
  const largest = Math.max(...steps.map(({ parts }) => tokensOf(parts)));
  const start = Math.min(
    ...steps.slice(0, 1).flatMap(({ startedAt, events }) => [startedAt, ...events.map(({ at }) => at)]),
  );
  return (
    <ol className="seen-timeline">
      {steps.map((step, index) => (
        <StepItem key={step.step} path={path} step={step} next={steps[index + 1]} start={start} largest={largest} />
      ))}
    </ol>
  );
}
