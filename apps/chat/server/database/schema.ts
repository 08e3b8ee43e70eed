import { sql } from "drizzle-orm";
import { bigint, bigserial, date, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { SessionState } from "skillset";
import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";

// The tables as queries see them. The SQL files in migrations/ create them, and a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Rows of a chat are deleted with it. */
const chatId = () => text("chat_id").references(() => chats.id, { onDelete: "cascade" });

export const chats = pgTable("chats", {
  id: text("id").primaryKey(),
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
});

export const messages = pgTable(
  "messages",
  {
    chatId: chatId().notNull(),
    id: text("id").notNull(),
    /** Increases across all chats, so that ordering one chat needs no counting. */
    position: bigserial("position", { mode: "number" }).notNull(),
    role: text("role").$type<ChatMessage["role"]>().notNull(),
    /** Stored without the texts of skills. */
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull(),
    metadata: jsonb("metadata").$type<MessageMetadata>().notNull(),
    /** The text, normalized for search. */
    words: text("words").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.id] })],
);

/** Messages that were replaced in a chat, as one entry of the bin. */
export const replacements = pgTable("replacements", {
  id: text("id").primaryKey(),
  chatId: chatId().notNull(),
  /** The position of the message before them; 0 at the start of the chat. */
  place: bigint("place", { mode: "number" }).notNull(),
  /** The number of messages that were lost: without an unchanged question and empty answers. */
  count: integer("count").notNull(),
  /** The start of the first lost message. */
  excerpt: text("excerpt").notNull(),
  /** The skills that were active because of these messages. */
  skills: jsonb("skills").$type<readonly BinnedSkill[]>().notNull(),
  deletedAt: moment("deleted_at").notNull().default(sql`now()`),
});

export interface BinnedSkill {
  readonly name: string;
  readonly digest: string;
  readonly by: SessionState["active"][number]["by"];
}

/** The same columns as in `messages`. */
export const replacedMessages = pgTable(
  "replaced_messages",
  {
    replacementId: text("replacement_id")
      .references(() => replacements.id, { onDelete: "cascade" })
      .notNull(),
    id: text("id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    role: text("role").$type<ChatMessage["role"]>().notNull(),
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull(),
    metadata: jsonb("metadata").$type<MessageMetadata>().notNull(),
    words: text("words").notNull(),
  },
  (table) => [primaryKey({ columns: [table.replacementId, table.id] })],
);

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

/** The active skills of a chat: names and digests. */
export const chatSkills = pgTable(
  "chat_skills",
  {
    chatId: chatId().notNull(),
    name: text("name").notNull(),
    digest: text("digest").notNull(),
    by: text("activated_by").$type<SessionState["active"][number]["by"]>().notNull(),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.name] })],
);

/** What a chat's model has seen of skills: the catalog, and later additions to it. */
export const chatSessions = pgTable("chat_sessions", {
  chatId: chatId().primaryKey(),
  catalog: jsonb("catalog").$type<NonNullable<SessionState["catalog"]>>().notNull(),
  notices: jsonb("notices").$type<NonNullable<SessionState["notices"]>>().notNull(),
});

export const skillSwitches = pgTable("skill_switches", {
  name: text("name").primaryKey(),
  changedAt: moment("changed_at").notNull().default(sql`now()`),
});

/** The versions of skills whose scripts run without asking. */
export const scriptConsents = pgTable(
  "script_consents",
  {
    skill: text("skill").notNull(),
    digest: text("digest").notNull(),
    allowedAt: moment("allowed_at").notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.skill, table.digest] })],
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
