import type { StepResult, ToolSet } from "ai";

/** The part of a step that `endedEarly` reads. */
export type EndedStep = Pick<StepResult<ToolSet>, "content">;

/**
 * Returns whether `maxSteps` or `stopWhen` ended a run before the model answered: the last step has tool results that the
 * model never received. Returns false while a tool without `execute` or an approval is pending.
 */
export function endedEarly(steps: readonly EndedStep[]): boolean {
  const content = steps.at(-1)?.content ?? [];
  const settled = new Set(
    content.flatMap((part) => (part.type === "tool-result" || part.type === "tool-error" ? [part.toolCallId] : [])),
  );
  // Providers answer calls to their own tools within the same step.
  const calls = content.filter((part) => part.type === "tool-call").filter((part) => !part.providerExecuted);
  return calls.length > 0 && calls.every(({ toolCallId }) => settled.has(toolCallId));
}
