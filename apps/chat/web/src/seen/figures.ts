import type { StepUsage, UsageSum } from "../../../shared/steps-api.ts";
import { countText } from "../ui/count-text.ts";

/** "3 steps · 2,913 tokens · $0.012" */
export function usageText(usage: UsageSum): string {
  const { steps, input, output, isEstimate, cost } = usage;
  const tokens = approximate(countText(input + output, "token"), isEstimate);
  return [countText(steps, "step"), tokens, ...(cost === undefined ? [] : [costText(usage)])].join(" · ");
}

/** "1,804 in · 12 out · $0.012"; estimates start with "≈". */
export function stepUsageText(usage: StepUsage): string {
  const { input, output, isEstimate, cost } = usage;
  return [
    `${approximate(numberText(input), isEstimate)} in`,
    `${approximate(numberText(output), isEstimate)} out`,
    ...(cost === undefined ? [] : [costText(usage)]),
  ].join(" · ");
}

export function approximate(text: string, isEstimate: boolean): string {
  return isEstimate ? `≈ ${text}` : text;
}

/** "$0.012"; an estimate starts with "≈". */
export function costText({ cost = 0, isEstimate }: Pick<StepUsage, "cost" | "isEstimate">): string {
  if (cost === 0) return "$0";
  if (cost < 0.0001) return approximate("<$0.0001", isEstimate);
  return approximate(`$${cost < 1 ? Number(cost.toPrecision(2)).toString() : cost.toFixed(2)}`, isEstimate);
}

export function numberText(count: number): string {
  return count.toLocaleString("en");
}

/** "120 ms", "1.4 s", "2 min 5 s" */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
