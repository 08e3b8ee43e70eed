import { SkillError } from "./base/errors.ts";
import { pinTrusted } from "./session/check-call.ts";
import type { Conversation } from "./session/conversation.ts";
import { openConversation } from "./session/open-conversation.ts";
import type { SessionOptions } from "./session/options.ts";
import { Session } from "./session.ts";
import type { Skillset } from "./skillset.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";
import { describeValue, isSessionOrSkillset } from "./text/describe-value.ts";

/** Starts a session, or resumes it from the store. The public API is `skillset.session()`. */
export async function openSession(skillset: Skillset, options: SessionOptions): Promise<Session> {
  refuseSession(options);
  checkOptions("session()", options, OPTIONS);
  const conversation = await openConversation(skillset, options);
  await pinTrusted(conversation);
  return sessionOver(conversation);
}

/** Returns a session for a conversation that another part of the library holds. Two of them are the same session. */
export function sessionOver(conversation: Conversation<Skillset>): Session {
  return new Session(conversation);
}

/** Its fields are no options, except the id: the conversation would continue in a new, empty session. */
function refuseSession(options: unknown): void {
  if (typeof options !== "object" || options === null || !isSessionOrSkillset(options)) return;
  const message = `session() takes options, such as { id, store }, not ${describeValue(options)}.`;
  const fix =
    "To resume a session, pass its 'id' and its 'store'. To use one that is open, pass it to withSkills() or a run.";
  throw new SkillError("option-invalid", `${message} ${fix}`);
}

const OPTIONS: OptionTable<SessionOptions> = {
  id: true,
  store: true,
  limits: true,
  showDirectory: true,
  invocationPrefix: true,
  triggers: true,
  countTokens: true,
  budget: true,
  allowedTools: true,
  toolNames: true,
  scripts: true,
  telemetry: true,
};
