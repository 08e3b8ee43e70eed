import type { UIMessage } from "ai";
import type { Problem } from "skillset";
import type { OperationResult } from "skillset/adapter";

// What the page and the server say to each other. The server answers JSON unless noted; errors are `ApiError`.
//
//   GET    /api/state                          AppState
//   GET    /api/chats?query=TEXT               ChatSummary[]   newest first; the query searches titles and messages
//   POST   /api/chats                          ChatSummary     a new, empty chat
//   GET    /api/chats/ID                       Chat
//   PATCH  /api/chats/ID                       ChatSummary     ChatChanges
//   DELETE /api/chats/ID                       204
//   GET    /api/chats/ID/export?format=FORMAT  a file: `markdown` or `json`
//   POST   /api/chats/ID/turn                  a stream of UI message chunks (server-sent events); TurnRequest
//   POST   /api/chats/ID/stop                  204             ends the answer under way; what came so far is kept
//   DELETE /api/chats/ID/skills/NAME           204             unloads an active skill
//   GET    /api/commands                       SkillCommand[]  what `/` offers
//   GET    /api/skills                         SkillsView
//   GET    /api/skills/NAME                    SkillDetail
//   GET    /api/skills/NAME/file?path=PATH     SkillFileView
//   PUT    /api/skills/NAME/switch             204             SkillSwitch; admin
//   POST   /api/skills/rescan                  SkillsView      admin
//   GET    /api/events                         server-sent events: AppEvent
//   GET    /healthz  /readyz  /metrics         for operators
//
// Whoever has the admin token sends it as `Authorization: Bearer TOKEN`. Without it there are no absolute paths and no
// switches.

export interface ApiError {
  readonly error: { readonly code: string; readonly message: string };
}

export interface AppState {
  readonly version: string;
  readonly isAdmin: boolean;
  /** The environment variable that sets the admin token. */
  readonly adminTokenEnv: string;
  /** False when the settings switch skills off: then nothing of them shows anywhere. */
  readonly hasSkills: boolean;
  readonly models: readonly ModelInfo[];
  readonly defaultModelId: string;
}

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  /** The built-in model, which is no language model; the page says so. */
  readonly isOffline: boolean;
  /** Models without tools get the instructions of active skills in the prompt, and cannot activate any. */
  readonly hasTools: boolean;
}

export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly modelId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Chat extends ChatSummary {
  readonly messages: readonly ChatMessage[];
  readonly active: readonly ActiveSkill[];
  /** An answer is under way, perhaps for another page or on another server: it is among the messages once it has ended. */
  readonly isAnswering: boolean;
}

export interface ChatChanges {
  readonly title?: string;
  readonly modelId?: string;
}

/** A skill that is active in a chat: a chip in the page. */
export interface ActiveSkill {
  readonly name: string;
  readonly by: "model" | "user" | "trigger" | "host";
  /** What its instructions cost. */
  readonly tokens: number;
  /** They are not what they were when it was activated. */
  readonly isChanged: boolean;
  /** It is no longer on offer. */
  readonly isMissing: boolean;
}

export type ChatMessage = UIMessage<MessageMetadata, ChatData, ChatTools>;

export interface MessageMetadata {
  readonly createdAt?: string;
  readonly modelId?: string;
  /** The answer ended before it was done: somebody stopped it, it failed, or the server ended. Then it may be empty. */
  readonly isCut?: boolean;
  /** It was cut because it was too long. */
  readonly isTooLong?: boolean;
  /** It was the person who stopped it. */
  readonly isStopped?: boolean;
  /** The answer ended at this limit of steps, while the model still called tools; its last part says so too. */
  readonly stepLimit?: number;
  /** The model has no tools, so the instructions of this skill were put into the prompt for this answer. */
  readonly fallback?: string;
}

/** Sent while an answer streams: the chips, whenever they change. */
export type ChatData = { active: readonly ActiveSkill[] };

/**
 * Tools of skills are dynamic tools, named `SKILL__TOOL`; their outputs are `OperationResult` too. What a person
 * activates with `/name` shows as `skills_activate` too, with a `toolCallId` that starts with `user-`.
 *
 * A chat is stored without the texts of skills, and they are filled in again when it is loaded. `data.changed` then says
 * that a text is not the one of that time, and `data.missing` that there is none any more: the output's `text` says so.
 */
export type ChatTools = {
  skills_activate: { input: { name: string }; output: OperationResult };
  skills_read_resource: { input: { name: string; path: string }; output: OperationResult };
};

export interface TurnRequest {
  /** What the person wrote. */
  readonly message: ChatMessage;
  readonly modelId: string;
  /** The message with this id and everything after it are dropped first: for editing, and for trying again. */
  readonly replaceFrom?: string;
}

export interface SkillCommand {
  readonly name: string;
  readonly description: string;
}

export type SkillState = "enabled" | "disabled" | "shadowed" | "locked" | "invalid";

export interface SkillRow {
  readonly name: string;
  readonly description: string;
  readonly state: SkillState;
  /** Why it is not enabled. */
  readonly reason?: string;
  /** Where it comes from, in words; an absolute path for admins only. */
  readonly source: string;
  readonly path?: string;
  /** In how many chats it was activated, and how often altogether. */
  readonly chats: number;
  readonly activations: number;
  readonly isUserInvocable: boolean;
  readonly isModelInvocable: boolean;
  readonly problems: number;
}

export interface SkillsView {
  readonly rows: readonly SkillRow[];
  /** Exactly what a model is shown. */
  readonly catalog: { readonly text: string; readonly tokens: number };
  readonly problems: readonly Problem[];
  readonly collisions: readonly {
    readonly name: string;
    readonly winner: string;
    readonly losers: readonly string[];
  }[];
  /** The folders that were looked into, in order of precedence. */
  readonly roots: readonly { readonly path: string; readonly isThere: boolean }[];
  readonly scannedAt: string;
}

export interface SkillDetail {
  readonly row: SkillRow;
  readonly instructions: string;
  readonly tokens: number;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools: readonly string[];
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly problems: readonly Problem[];
  /** The last thirty days, oldest first. */
  readonly usage: readonly { readonly day: string; readonly activations: number }[];
}

export interface SkillFileView {
  readonly path: string;
  readonly content: string;
  readonly isTruncated: boolean;
}

export interface SkillSwitch {
  readonly isEnabled: boolean;
}

export type AppEvent =
  | { readonly type: "skills-changed"; readonly added: number; readonly changed: number; readonly removed: number }
  | { readonly type: "skills-switched"; readonly on: readonly string[]; readonly off: readonly string[] }
  | { readonly type: "chats-changed" };
