import { type SQL, sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import type { SessionState } from "skillset";
import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";
import { LOCAL_OWNER, type Owner } from "./owner.ts";

// The tables as queries see them. The SQL files in migrations/ create them, and a test compares the two.
// Each row belongs to an owner: through its chat, or by its own column. What an admin sets for everybody has none.

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

const owner = () =>
  text("owner")
    .$type<Owner>()
    .notNull()
    .$default(() => LOCAL_OWNER);

/** Rows of a chat are deleted with it. */
const chatId = () => text("chat_id").references(() => chats.id, { onDelete: "cascade" });

export const chats = pgTable("chats", {
  id: text("id").primaryKey(),
  owner: owner(),
  title: text("title").notNull(),
  /** The title, normalized for search. */
  titleWords: text("title_words").notNull(),
  modelId: text("model_id").notNull(),
  /** The number of tokens used by the instructions of skills. */
  spent: integer("spent").notNull().default(0),
  createdAt: moment("created_at").notNull().default(sql`now()`),
  updatedAt: moment("updated_at").notNull().default(sql`now()`),
  /** Set while the chat is in the bin. */
  deletedAt: moment("deleted_at"),
  /** Increases when another branch is shown, so that a message which waited for that notices it. */
  branch: integer("branch").notNull().default(0),
});

export const messages = pgTable(
  "messages",
  {
    chatId: chatId().notNull(),
    id: text("id").notNull(),
    /** Increases across all chats, so that ordering one chat needs no counting. Higher than the parent's. */
    position: bigserial("position", { mode: "number" }).notNull(),
    role: text("role").$type<ChatMessage["role"]>().notNull(),
    /** Stored without the texts of skills. */
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull(),
    metadata: jsonb("metadata").$type<MessageMetadata>().notNull(),
    /** The text, normalized for search. */
    words: text("words").notNull(),
    /** The message before it; null for a first message. */
    parentId: text("parent_id"),
    /** Whether it is in the branch that is shown. */
    isShown: boolean("is_shown").notNull().default(true),
    /** Set on the first message of a branch that is not shown. */
    tail: jsonb("tail").$type<Tail>(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.id] })],
);

/** What a branch that is not shown ends with, and the skills that were active because of it. */
export interface Tail {
  /** The id of its last message. */
  readonly last: string;
  readonly skills: readonly TailSkill[];
}

export type TailSkill = SessionState["active"][number];

/** The content of attached files, each once for its owner. */
export const blobs = pgTable("blobs", {
  id: text("id").primaryKey(),
  owner: owner(),
  /** `sha256-` and the hash in hex; null while the file is being uploaded. */
  digest: text("digest"),
  size: bigint("size", { mode: "number" }).notNull().default(0),
  createdAt: moment("created_at").notNull().default(sql`now()`),
});

/** Bytes as hex: the embedded client needs twenty times as long to convert byte arrays. */
const bytes = customType<{ data: string; driverData: SQL }>({
  dataType: () => "bytea",
  toDriver: (hex) => sql`decode(${hex}, 'hex')`,
});

export const blobPieces = pgTable(
  "blob_pieces",
  {
    blobId: text("blob_id")
      .references(() => blobs.id, { onDelete: "cascade" })
      .notNull(),
    /** Counts from 0. */
    piece: integer("piece").notNull(),
    bytes: bytes("bytes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.blobId, table.piece] })],
);

/** Files that people attached to messages, or uploaded for one. Messages refer to them by id. */
export const attachments = pgTable("attachments", {
  id: text("id").primaryKey(),
  owner: owner(),
  /** Null until a message with the file is sent. */
  chatId: chatId(),
  blobId: text("blob_id")
    .references(() => blobs.id, { onDelete: "restrict" })
    .notNull(),
  name: text("name").notNull(),
  mediaType: text("media_type").notNull(),
  /** Where scripts of the chat find it, below `$OUTPUT_DIR`; null until a message with the file is sent. */
  path: text("path"),
  createdAt: moment("created_at").notNull().default(sql`now()`),
});

/** Running answers, at most one per chat. */
export const answers = pgTable("answers", {
  chatId: chatId().primaryKey(),
  /** The id of the future answer message. */
  id: text("id").notNull(),
  server: text("server").notNull(),
  modelId: text("model_id").notNull(),
  /** If the lease is not renewed by then, the server counts as dead. */
  leaseUntil: moment("lease_until").notNull(),
});

/** The log of a running answer. It is deleted with the answer's row. */
export const answerParts = pgTable(
  "answer_parts",
  {
    chatId: text("chat_id")
      .references(() => answers.chatId, { onDelete: "cascade" })
      .notNull(),
    /** Counts from 1. */
    seq: integer("seq").notNull(),
    /** A JSON list of chunks, without the texts of skills. */
    chunks: text("chunks").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.seq] })],
);

/** The requests of each answer, without the texts of skills. They stay while the answer is in the bin. */
export const answerSteps = pgTable(
  "answer_steps",
  {
    chatId: chatId().notNull(),
    answerId: text("answer_id").notNull(),
    /** Counts from 1. */
    step: integer("step").notNull(),
    input: integer("input_tokens").notNull(),
    output: integer("output_tokens").notNull(),
    isEstimate: boolean("is_estimate").notNull(),
    /** US dollars. */
    cost: doublePrecision("cost"),
    /** JSON as text, because `jsonb` changes the order of keys. */
    record: text("record").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.answerId, table.step] })],
);

/** The chat's own words in requests: rules, and definitions of tools. */
export const promptTexts = pgTable(
  "prompt_texts",
  {
    owner: owner(),
    digest: text("digest").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.digest] })],
);

/** The active skills of a chat: names and digests. */
export const chatSkills = pgTable(
  "chat_skills",
  {
    chatId: chatId().notNull(),
    name: text("name").notNull(),
    digest: text("digest").notNull(),
    by: text("activated_by").$type<SessionState["active"][number]["by"]>().notNull(),
    /** What the user wrote after the skill's name. */
    arguments: text("arguments"),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.name] })],
);

/** What a chat's model has seen of skills: the catalog, and later additions to it. */
export const chatSessions = pgTable("chat_sessions", {
  chatId: chatId().primaryKey(),
  /** The version of the stored state, which the library reads. */
  version: integer("version").notNull(),
  catalog: jsonb("catalog").$type<NonNullable<SessionState["catalog"]>>(),
  notices: jsonb("notices").$type<SessionState["notices"]>().notNull(),
});

export const skillSwitches = pgTable("skill_switches", {
  name: text("name").primaryKey(),
  changedAt: moment("changed_at").notNull().default(sql`now()`),
});

/** The versions of skills whose scripts run without asking. */
export const scriptConsents = pgTable(
  "script_consents",
  {
    owner: owner(),
    skill: text("skill").notNull(),
    digest: text("digest").notNull(),
    allowedAt: moment("allowed_at").notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.owner, table.skill, table.digest] })],
);

export const skillUsage = pgTable(
  "skill_usage",
  {
    skill: text("skill").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    chatId: text("chat_id").notNull(),
    activations: integer("activations").notNull(),
  },
  (table) => [primaryKey({ columns: [table.skill, table.day, table.chatId] })],
);

export const settings = pgTable("settings", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});
