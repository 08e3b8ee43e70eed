import type { RecentTexts } from "../chats/recent-texts.ts";
import type { ChatSessions } from "../skills/chat-sessions.ts";
import type { SkillRegistry } from "../skills/registry.ts";

/** What chats need of skills; there is none of it when skills are off. */
export interface ChatSkills {
  readonly registry: SkillRegistry;
  readonly sessions: ChatSessions;
  readonly recent: RecentTexts;
}
