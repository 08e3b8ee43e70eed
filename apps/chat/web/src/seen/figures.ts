import type { StepUsage, UsageSum } from "../../../shared/steps-api.ts";
import { countText } from "../ui/count-text.ts";

/** "3 steps · 2,913 tokens · $0.012" */
export function usageText(usage: UsageSum): string {
  const { steps, input, output, isEstimate, cost } = usage;
  const tokens = `${isEstimate ? "≈ " : ""}${countText(input + output, "token")}`;
  return [countText(steps, "step"), tokens, ...(cost === undefined ? [] : [costText(usage)])].join(" · ");
}

/** "$0.012"; an estimate starts with "≈". */
export function costText({ cost = 0, isEstimate }: Pick<StepUsage, "cost" | "isEstimate">): string {
  const sign = isEstimate && cost > 0 ? "≈ " : "";
  if (cost === 0) return "$0";
  if (cost < 0.0001) return `${sign}<$0.0001`;
  return `${sign}$${cost < 1 ? Number(cost.toPrecision(2)).toString() : cost.toFixed(2)}`;
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
