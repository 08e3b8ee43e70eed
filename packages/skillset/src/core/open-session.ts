import { contextOf } from "./context-of.ts";
import { pinTrusted } from "./session/check-call.ts";
import type { SessionOptions } from "./session/options.ts";
import { Session } from "./session.ts";
import type { Skillset } from "./skillset.ts";

/** Starts a session, or resumes it from the store. The public API is `skillset.session()`. */
export async function openSession(skillset: Skillset, options: SessionOptions): Promise<Session> {
  const session = new Session(skillset, options);
  await session.update(skillset);
  await pinTrusted(contextOf(session));
  return session;
}
