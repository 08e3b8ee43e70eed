import type { AnswerLog } from "./answers/answer-log.ts";
import type { AttachmentStore } from "./attachments/attachment-store.ts";
import type { BinStore } from "./chats/bin-store.ts";
import type { BranchStore } from "./chats/branch-store.ts";
import type { ChatStore } from "./chats/chat-store.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./database/database.ts";
import type { AdminAccess } from "./http/admin-access.ts";
import type { AdminToken } from "./http/admin-token.ts";
import type { AppEvents } from "./http/app-events.ts";
import type { ClientLimits } from "./limits/client-limits.ts";
import type { Models } from "./models/models.ts";
import type { Log } from "./observe/log.ts";
import type { Metrics } from "./observe/metrics.ts";
import type { Redact } from "./observe/redact.ts";
import type { UsageStore } from "./skills/usage-store.ts";
import type { StepStore } from "./steps/step-store.ts";
import type { ChatSkills } from "./turns/chat-skills.ts";
import type { RunningAnswers } from "./turns/running-answers.ts";

/** The parts of a running server. Only `createApp` gets all of them; routes declare the parts they use. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly chats: ChatStore;
  readonly bin: BinStore;
  readonly branches: BranchStore;
  /** Undefined when attachments are disabled. */
  readonly attachments: AttachmentStore | undefined;
  readonly answerLog: AnswerLog;
  readonly usage: UsageStore;
  readonly steps: StepStore;
  readonly models: Models;
  readonly adminToken: AdminToken;
  readonly admin: AdminAccess;
  readonly running: RunningAnswers;
  readonly events: AppEvents;
  readonly limits: ClientLimits;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly redact: Redact;
  /** Undefined when skills are disabled. */
  readonly skills: ChatSkills | undefined;
  /** The folder of the built page. */
  readonly webRoot: string;
}
