import { checkHooks, HOOKS } from "../script/check-hooks.ts";
import { checkOptions } from "../text/check-options.ts";
import { checkMethods } from "../text/describe-value.ts";
import { Conversation, type SessionSkills } from "./conversation.ts";
import type { SessionOptions } from "./options.ts";
import { DEFAULT_LIMITS } from "./settings.ts";

/** Opens a conversation, or resumes it from the store. Throws for an option with a wrong value. */
export async function openConversation<Skills extends SessionSkills>(
  skillset: Skills,
  options: SessionOptions = {},
): Promise<Conversation<Skills>> {
  const { store, telemetry, scripts, limits } = options;
  // A store that lacks a method would fail in the middle of a conversation.
  if (store !== undefined) checkMethods("The option 'store' of session()", store, ["load", "save"]);
  if (telemetry !== undefined) checkMethods("The option 'telemetry' of session()", telemetry, ["follow", "record"]);
  checkOptions("The option 'scripts' of session()", scripts, HOOKS);
  if (scripts !== undefined) checkHooks(scripts);
  checkOptions("The option 'limits' of session()", limits, DEFAULT_LIMITS);
  const conversation = new Conversation(skillset, options);
  await conversation.use(skillset);
  return conversation;
}
