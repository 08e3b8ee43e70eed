import { SkillError } from "../../core/base/errors.ts";

/** Throws if the agent ended its turn early. */
export function checkEnd(stopReason: string, refused: string): void {
  const why = Object.hasOwn(ENDINGS, stopReason) ? ENDINGS[stopReason] : undefined;
  if (why === undefined) return;
  // Some agents end their turn when a permission is denied.
  const after = stopReason === "cancelled" && refused !== "" ? `. The last denied request: ${refused}` : "";
  throw new SkillError("agent-failed", `The agent stopped early: ${why}${after}.`);
}

const ENDINGS: Readonly<Record<string, string>> = {
  refusal: "it refused to continue",
  max_tokens: "its model reached its token limit",
  max_turn_requests: "it reached its request limit for one turn",
  cancelled: "it reported the turn as cancelled",
};
