import { sql } from "drizzle-orm";
import { bigserial, date, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { SessionState } from "skillset";
import type { ChatMessage, MessageMetadata } from "../../shared/api.ts";

// What the queries know of the tables. The SQL files in migrations/ make them, and a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** What belongs to a chat is deleted with it. */
const chatId = () => text("chat_id").references(() => chats.id, { onDelete: "cascade" });

export const chats = pgTable("chats", {
  id: text("id").primaryKey(),
  title: text("title").notNull(),
  /** The title as a search compares it. */
  titleWords: text("title_words").notNull(),
  modelId: text("model_id").notNull(),
  /** How many tokens the instructions of skills have taken. */
  spent: integer("spent").notNull().default(0),
  createdAt: moment("created_at").notNull().default(sql`now()`),
  updatedAt: moment("updated_at").notNull().default(sql`now()`),
});

export const messages = pgTable(
  "messages",
  {
    chatId: chatId().notNull(),
    id: text("id").notNull(),
    /** Grows over all chats, so that the order of one chat needs no counting. */
    position: bigserial("position", { mode: "number" }).notNull(),
    role: text("role").$type<ChatMessage["role"]>().notNull(),
    /** Without the text of any skill. */
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull(),
    metadata: jsonb("metadata").$type<MessageMetadata>().notNull(),
    /** What was said, as a search compares it. */
    words: text("words").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.id] })],
);

/** The answers under way, one a chat at most. */
export const answers = pgTable("answers", {
  chatId: chatId().primaryKey(),
  /** What the message will have once it is there. */
  id: text("id").notNull(),
  server: text("server").notNull(),
  modelId: text("model_id").notNull(),
  /** A server that has not renewed it by then is taken to be dead. */
  leaseUntil: moment("lease_until").notNull(),
});

/** Which skills are active in a chat: names and digests. */
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

/** What the model of a chat was shown of skills: the catalog, and what later messages added to it. */
export const chatSessions = pgTable("chat_sessions", {
  chatId: chatId().primaryKey(),
  catalog: jsonb("catalog").$type<NonNullable<SessionState["catalog"]>>().notNull(),
  notices: jsonb("notices").$type<NonNullable<SessionState["notices"]>>().notNull(),
});

export const skillSwitches = pgTable("skill_switches", {
  name: text("name").primaryKey(),
  changedAt: moment("changed_at").notNull().default(sql`now()`),
});

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
