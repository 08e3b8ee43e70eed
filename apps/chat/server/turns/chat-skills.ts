import type { RecentTexts } from "../chats/recent-texts.ts";
import type { ChatSessions } from "../skills/chat-sessions.ts";
import type { ConsentStore } from "../skills/consent-store.ts";
import type { LiveScripts } from "../skills/live-scripts.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";

/** The parts of skills that chats use; undefined when skills are disabled. */
export interface ChatSkills {
  readonly registry: SkillRegistry;
  readonly sessions: ChatSessions;
  readonly recent: RecentTexts;
  readonly scripts: LiveScripts;
  readonly consents: ConsentStore;
}
