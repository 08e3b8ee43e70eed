import type { StepResult, ToolSet } from "ai";

/** The part of a step that `endedEarly` reads. */
export type EndedStep = Pick<StepResult<ToolSet>, "content">;

/**
 * Returns whether `maxSteps` or `stopWhen` ended a run before the model answered: the last step has tool results or denials
 * that the model never received. Returns false while a tool without `execute` or an approval is pending.
 */
export function endedEarly(steps: readonly EndedStep[]): boolean {
  return callsOf(steps.at(-1)).length > 0 && pendingCall(steps) === undefined;
}

/** Returns the name of a tool whose call in the last step has no result, because nothing here runs or approves it. */
export function pendingCall(steps: readonly EndedStep[]): string | undefined {
  const settled = new Set(steps.at(-1)?.content.flatMap(settledBy));
  return callsOf(steps.at(-1)).find(({ toolCallId }) => !settled.has(toolCallId))?.toolName;
}

/** Without those of the provider's own tools, which it answers within the same step. */
function callsOf(step: EndedStep | undefined) {
  return (step?.content ?? []).filter((part) => part.type === "tool-call").filter((part) => !part.providerExecuted);
}

function settledBy(part: EndedStep["content"][number]): string[] {
  if (part.type === "tool-result" || part.type === "tool-error") return [part.toolCallId];
  return part.type === "tool-approval-response" && !part.approved ? [part.toolCall.toolCallId] : [];
}
