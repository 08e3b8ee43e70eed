import { SkillError } from "./base/errors.ts";
import { conversationOf } from "./conversation-of.ts";
import { pinTrusted } from "./session/check-call.ts";
import { openBeside } from "./session/open-beside.ts";
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
  return new Session(conversation);
}

/** Starts a session for a part of the library that asks for consent itself: it does not run a script without a question. */
export async function openOwnSession(skillset: Skillset, options: SessionOptions = {}): Promise<Session> {
  return new Session(await openConversation(skillset, options));
}

/** Starts a session for other skills of the same model, such as those of a prompt, beside a session of the caller. */
export async function openSessionBeside(
  session: Session,
  skillset: Skillset,
  options: Pick<SessionOptions, "showDirectory">,
): Promise<Session> {
  return new Session(await openBeside(conversationOf(session), skillset, options));
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
