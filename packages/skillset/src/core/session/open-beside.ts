import type { Conversation, SessionSkills } from "./conversation.ts";
import type { LedgerEvent } from "./ledger.ts";
import { openConversation } from "./open-conversation.ts";
import type { SessionOptions } from "./options.ts";
import type { SessionTelemetry } from "./telemetry.ts";

/**
 * Opens a conversation over other skills that the same model uses, such as those of a prompt: with the rules, the hooks
 * and the rest of the budget of a conversation, which records what the model does with them.
 */
export function openBeside<Skills extends SessionSkills>(
  conversation: Conversation,
  skillset: Skills,
  options: Pick<SessionOptions, "showDirectory"> = {},
): Promise<Conversation<Skills>> {
  const { id, toolRules, settings, memory } = conversation;
  const { allowedTools, toolNames } = toolRules;
  return openConversation(skillset, {
    ...options,
    id,
    budget: { tokens: memory.left },
    scripts: settings.scripts,
    telemetry: recordingIn(conversation),
    ...(allowedTools && { allowedTools }),
    ...(toolNames && { toolNames }),
  });
}

/** Activations are left out: who opens the conversation reports them. */
function recordingIn(conversation: Conversation): SessionTelemetry {
  return {
    follow: (operation, work, output) => {
      const { telemetry } = conversation.settings;
      const isReported = telemetry === undefined || operation.operation === "activate";
      return isReported ? work() : telemetry.follow(operation, work, output);
    },
    record: ({ at: _at, ...event }, attributes) => {
      if (RECORDED.has(event.type)) conversation.record(event as LedgerEvent, attributes);
    },
  };
}

const RECORDED: ReadonlySet<LedgerEvent["type"]> = new Set<LedgerEvent["type"]>([
  "file-read",
  "script-run",
  "script-consent",
  "skills-searched",
  "tool-denied",
  "tool-outside",
]);
