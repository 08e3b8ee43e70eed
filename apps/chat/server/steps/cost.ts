import type { StepUsage } from "../../shared/steps-api.ts";
import type { ModelPrice } from "../config/models-config.ts";

/** The cost of a request in US dollars. */
export function costOf(
  { input, output, cached = 0 }: Pick<StepUsage, "input" | "output" | "cached">,
  price: ModelPrice | undefined,
): number | undefined {
  if (price === undefined) return undefined;
  const read = Math.min(cached, input);
  const dollars = (input - read) * price.input + read * (price.cached ?? price.input) + output * price.output;
  return dollars / 1_000_000;
}
