import { SkillError } from "./base/errors.ts";
import { contextOf } from "./context-of.ts";
import { pinTrusted } from "./session/check-call.ts";
import { DEFAULT_LIMITS } from "./session/context.ts";
import type { SessionOptions } from "./session/options.ts";
import { Session } from "./session.ts";
import type { Skillset } from "./skillset.ts";
import { checkOptions, type OptionTable } from "./text/check-options.ts";

/** Starts a session, or resumes it from the store. The public API is `skillset.session()`. */
export async function openSession(skillset: Skillset, options: SessionOptions): Promise<Session> {
  checkOptions("session()", options, OPTIONS);
  checkStore(options.store);
  checkOptions("The option 'limits' of session()", options.limits, DEFAULT_LIMITS);
  const session = new Session(skillset, options);
  await session.update(skillset);
  await pinTrusted(contextOf(session));
  return session;
}

/** A store that lacks a method would fail in the middle of a conversation. */
function checkStore(store: SessionOptions["store"]): void {
  if (store === undefined) return;
  for (const method of ["load", "save"] as const)
    if (typeof (store as Partial<typeof store> | null)?.[method] !== "function")
      throw new SkillError(
        "option-invalid",
        `The option 'store' of session() needs the methods 'load' and 'save'; '${method}' is missing.`,
      );
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
