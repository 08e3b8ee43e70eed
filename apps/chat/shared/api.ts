import type { UIMessage } from "ai";
import type { LedgerEntry } from "skillset";
import type { OperationData, OperationResult } from "skillset/adapter";
import type { ConsentAnswer } from "skillset/scripts";
import type { Attachment, AttachmentLimits } from "./attachments-api.ts";
import type { UsageSum } from "./steps-api.ts";

// The HTTP API between the page and the server. Responses are JSON unless noted; errors are `ApiError`. The types for
// skills are in `skills-api.ts`, those for attached files in `attachments-api.ts`, and those for what the model saw in
// `steps-api.ts`.
//
//   GET    /api/state                          AppState
//   GET    /api/chats?before=CURSOR            ChatPage        newest first, 100 a page
//   GET    /api/chats?query=TEXT               ChatPage        the newest chats whose title or messages have the text
//   POST   /api/chats                          ChatSummary     a new, empty chat
//   GET    /api/chats/ID                       Chat
//   PATCH  /api/chats/ID                       ChatSummary     ChatChanges
//   DELETE /api/chats/ID                       204             moves the chat to the bin
//   GET    /api/chats/ID/export?format=FORMAT  a file: `markdown` or `json`
//   POST   /api/chats/ID/turn                  the answer as server-sent events; TurnRequest
//   GET    /api/chats/ID/answer?after=SEQ      the rest of the running answer, in the same form; 204 if there is none.
//                                              With `&id=ID`, only of the answer with that id
//   POST   /api/chats/ID/stop                  204             stops the running answer and keeps its text so far
//   POST   /api/chats/ID/consent               204             Consent; `always` is for admins
//   GET    /api/chats/ID/file?path=PATH        a file that a script wrote; with `&preview`, an image to show
//   GET    /api/chats/ID/answers/ID/steps      AnswerStepsView what the model saw: the steps of an answer
//   GET    /api/chats/ID/answers/ID/request?step=N  RebuiltRequest  a request of an answer, with the current texts
//   DELETE /api/chats/ID/skills/NAME           204             unloads an active skill
//   POST   /api/chats/ID/branch                204             MessageReference; shows the branch that starts with it
//   POST   /api/chats/ID/fork                  ChatSummary     MessageReference; a new chat with the messages up to it
//   GET    /api/bin?before=CURSOR              BinPage         the newest entries first
//   POST   /api/bin/ID/restore                 204
//   DELETE /api/bin/ID                         204             deletes an entry for good
//   DELETE /api/bin                            204             deletes all entries for good
//   GET    /api/commands                       SkillCommand[]  the skills that `/` lists
//   GET    /api/skills                         SkillsView
//   GET    /api/skills/NAME                    SkillDetail
//   GET    /api/skills/NAME/file?path=PATH     SkillFileView
//   PUT    /api/skills/NAME/switch             204             SkillSwitch; admin
//   DELETE /api/skills/NAME/consent            204             scripts ask again; admin
//   POST   /api/skills/rescan                  SkillsView      admin
//   GET    /api/skill-usage                    SkillUsageView
//   GET    /api/repairs                        RepairView[]    what can be repaired, and how; admin
//   POST   /api/repairs                        RepairResult    RepairRequest; admin
//   GET    /api/events                         server-sent events: AppEvent
//   GET    /healthz  /readyz  /metrics         for operators
//
// An answer is sent in parts. Each is one event: its id is a sequence number, and each line of its data is a UI message
// chunk. `[DONE]` follows the last part. A page that loses the connection asks for the parts after the last id it got. An
// answer that ended meanwhile is among the messages of the chat.
//
// Admins send their token as `Authorization: Bearer TOKEN`. Other clients see no absolute paths and cannot enable or
// disable skills.

export interface ApiError {
  readonly error: { readonly code: string; readonly message: string };
}

export interface AppState {
  readonly version: string;
  readonly isAdmin: boolean;
  /** The environment variable that sets the admin token. */
  readonly adminTokenEnv: string;
  /** False when the settings disable skills: the page then hides everything about them. */
  readonly hasSkills: boolean;
  readonly models: readonly ModelInfo[];
  readonly defaultModelId: string;
  /** How long deleted chats stay in the bin. 0 deletes them at once. */
  readonly binDays: number;
  /** Undefined if the settings disable attachments. */
  readonly attachments?: AttachmentLimits;
}

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  /** The built-in demo, which is not a language model; the page shows a banner. */
  readonly isOffline: boolean;
  /** Models without tools get the instructions of active skills in the prompt, and cannot activate skills. */
  readonly hasTools: boolean;
}

export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly modelId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ChatPage {
  readonly chats: readonly ChatSummary[];
  /** The cursor of the next page. */
  readonly next?: string;
  /** The search reached its limit, so there may be more. */
  readonly isPartial?: boolean;
}

/** A deleted chat. */
export interface BinEntry {
  readonly id: string;
  readonly title: string;
  /** The number of messages. */
  readonly count: number;
  readonly deletedAt: string;
  /** When it is deleted for good. */
  readonly endsAt: string;
}

export interface BinPage {
  readonly entries: readonly BinEntry[];
  /** The number of all entries. */
  readonly total: number;
  /** The cursor of the next page. */
  readonly next?: string;
}

export interface Chat extends ChatSummary {
  /** The messages of the branch that is shown. */
  readonly messages: readonly ChatMessage[];
  /** For each of them that has others in its place: the ids of all of these, in the order in which they were written. */
  readonly siblings: Readonly<Record<string, readonly string[]>>;
  readonly active: readonly ActiveSkill[];
  /** An answer is running, on any server. Its log has it so far; it joins the messages when it ends. */
  readonly isAnswering: boolean;
  /** The script of the running answer that waits for consent or runs, if this server writes the answer. */
  readonly script?: LiveScript | undefined;
}

/** A script that waits for consent, or runs. */
export interface LiveScript {
  /** The id of the tool call. */
  readonly call: string;
  readonly skill: string;
  /** The digest of the whole skill. */
  readonly digest: string;
  readonly script: string;
  readonly args: readonly string[];
  /** What the script reads from stdin, as JSON. */
  readonly input?: string | undefined;
  /** The files that the script can read: those attached to the chat, and those that the model writes for it. */
  readonly files: readonly string[];
  /** The names of the server's variables that the script gets. */
  readonly env: readonly string[];
  /** The sandbox. `subprocess` is none. */
  readonly level: string;
  /** What the script can reach, in words. */
  readonly sandbox: string;
  readonly state: "asking" | "running";
  /** The end of its output so far. */
  readonly output: string;
}

/** Whether a script may run: this time, always in this version of the skill, or not at all. */
export type ConsentChoice = Extract<ConsentAnswer, string>;

export interface Consent {
  /** The id of the tool call that asks. */
  readonly call: string;
  readonly answer: ConsentChoice;
}

export interface ChatChanges {
  readonly title?: string;
  readonly modelId?: string;
}

/** A skill that is active in a chat, shown as a chip. */
export interface ActiveSkill {
  readonly name: string;
  readonly by: Extract<LedgerEntry, { type: "skill-activated" }>["by"];
  /** The size of its instructions. */
  readonly tokens: number;
  /** The instructions have changed since activation. */
  readonly isChanged: boolean;
  /** The skill is no longer available. */
  readonly isMissing: boolean;
}

export type ChatMessage = UIMessage<MessageMetadata, ChatData, ChatTools>;

export interface MessageMetadata {
  readonly createdAt?: string;
  readonly modelId?: string;
  /** The answer is incomplete, and may be empty: it was stopped, it failed, or the server shut down. */
  readonly isCut?: boolean;
  /** Why the answer failed, for the user. */
  readonly failure?: string;
  /** The number of earlier messages that were left out of the request, because the chat is too long for the model. */
  readonly leftOut?: number;
  /** The answer was cut off because it was too long. */
  readonly isTooLong?: boolean;
  /** The user stopped the answer. */
  readonly isStopped?: boolean;
  /** The step limit that ended the answer while the model was still calling tools. The last part reports it too. */
  readonly stepLimit?: number;
  /** The model has no tools, so the instructions of this skill were added to the prompt for this answer. */
  readonly fallback?: string;
  /** What in the message triggered the skills in `fallback`, if the user did not name them. */
  readonly triggered?: readonly MatchedTrigger[];
  /** What the answer used. Absent if its steps were not recorded. */
  readonly usage?: UsageSum;
}

/** What in a message triggered a skill. */
export type MatchedTrigger = Pick<Extract<LedgerEntry, { type: "skill-triggered" }>, "kind" | "trigger">;

/** The rule of a skill that denied a call. */
export interface Denial {
  /** The skill with the rule. */
  readonly skill: string;
  readonly field: "allowed-tools" | "disallowed-tools";
  /** The tokens that `allowed-tools` lack, or the one in `disallowed-tools`. */
  readonly token: string;
}

/** The output of a tool. A denied call is an error with `denied`. */
export type ToolOutput<Data extends object = object> = OperationResult<Data> & { readonly denied?: Denial };

/**
 * `attachment` is a file of a user's message. The others are sent during an answer and never stored with it: the chips, the
 * script that asks or runs, and the next request to a model that limits the rate, whenever they change.
 */
export type ChatData = {
  attachment: Attachment;
  active: readonly ActiveSkill[];
  script: LiveScript | null;
  retry: ModelRetry | null;
};

/** A request that is repeated after a wait, because the model refused it for now. */
export interface ModelRetry {
  /** When it is repeated. */
  readonly at: string;
  /** The number of the next attempt, from 2. */
  readonly attempt: number;
  readonly attempts: number;
}

/**
 * The tools of skills are dynamic tools named `SKILL__TOOL`; their outputs are `ToolOutput` too. A skill that the user
 * activates with `/name` also appears as `skills_activate`, with a `toolCallId` that starts with `user-`. So does one that
 * a message triggers, with `trigger-`.
 *
 * Chats are stored without the texts of skills, which are filled in again on load. `data.changed` then marks a text that
 * has changed since, and `data.missing` one that no longer exists. The output's `text` explains both.
 */
export type ChatTools = {
  skills_activate: { input: { name: string; trigger?: MatchedTrigger }; output: OperationResult<ShownActivation> };
  skills_read_resource: { input: { name: string; path: string }; output: OperationResult<ShownFile> };
  /** Stored as it is: descriptions are not instructions. */
  skills_search: {
    input: { query: string; limit?: number };
    output: OperationResult<OperationData["search_skills"]>;
  };
  skills_run_script: {
    input: { name: string; script: string; args?: string[] };
    output: ToolOutput<OperationData["run_skill_script"]>;
  };
};

type Activated = OperationData["activate_skill"];

/** What is stored of an activation. */
export type StoredActivation = Pick<
  Activated,
  "name" | "bytes" | "truncated" | "tokens" | "overBudget" | "alreadyActive" | "changed" | "digest"
>;

/** An activation in a chat: without its text if the skill is missing. */
export type ShownActivation = StoredActivation & Partial<Activated> & { readonly missing?: boolean };

/** A file that was read, in a chat. */
export interface ShownFile {
  readonly skill: string;
  readonly path: string;
  readonly mediaType?: string;
  readonly bytes?: number;
  readonly truncated?: boolean;
  /** Its text, unless it is missing or the model got it as a file. */
  readonly content?: string;
  readonly digest?: string;
  readonly changed?: boolean;
  readonly missing?: boolean;
}

export interface TurnRequest {
  /** The user's message. */
  readonly message: ChatMessage;
  readonly modelId: string;
  /** Starts a branch in the place of the message with this id. With the id of `message` itself, of its answer. */
  readonly replaceFrom?: string | undefined;
}

/** Names a message of a chat. */
export interface MessageReference {
  readonly messageId: string;
}

export type AppEvent =
  | { readonly type: "skills-changed"; readonly added: number; readonly changed: number; readonly removed: number }
  | { readonly type: "skills-switched"; readonly on: readonly string[]; readonly off: readonly string[] }
  | { readonly type: "chats-changed" };
