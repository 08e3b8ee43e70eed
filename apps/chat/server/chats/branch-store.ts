import { and, eq, isNull, sql } from "drizzle-orm";
import type { ChatSummary } from "../../shared/api.ts";
import type { Database } from "../database/database.ts";
import { chats } from "../database/schema.ts";
import type { AnswerLeases } from "./answer-leases.ts";
import { type ShownBranch, showBranch, siblingsOf, type TreeMessage, treeOf } from "./branches.ts";
import { changeChats } from "./change-chats.ts";
import { chatTitle, firstMessage } from "./chat-title.ts";
import { forkChat } from "./fork-chat.ts";
import { storable } from "./storable.ts";

export type ShowResult = ShownBranch | { readonly outcome: "gone" | "under-way" };

/** The branches of chats. */
export class BranchStore {
  readonly #database: Database;
  readonly #leases: Pick<AnswerLeases, "stateOf">;

  constructor(database: Database, leases: Pick<AnswerLeases, "stateOf">) {
    this.#database = database;
    this.#leases = leases;
  }

  /** The messages beside each shown one that has some. */
  siblings(chatId: string): Promise<Readonly<Record<string, string[]>>> {
    return siblingsOf(this.#database.queries, chatId);
  }

  /** The messages of all branches. */
  tree(chatId: string): Promise<readonly TreeMessage[]> {
    return treeOf(this.#database.queries, chatId);
  }

  /** The messages up to one of any branch, and with it. Empty if there is no such message. */
  async upTo(chatId: string, messageId: string): Promise<readonly TreeMessage[]> {
    const all = new Map((await this.tree(chatId)).map((message) => [message.id, message]));
    const branch: TreeMessage[] = [];
    for (let next = all.get(messageId); next !== undefined; next = all.get(next.parentId ?? "")) branch.unshift(next);
    return branch;
  }

  /** Shows the branch that starts with a message. */
  async show(chatId: string, messageId: string): Promise<ShowResult> {
    return changeChats(this.#database, async (transaction): Promise<ShowResult> => {
      // The same lock as for a new message, so that the two never mix.
      const isIt = and(eq(chats.id, chatId), isNull(chats.deletedAt));
      const [chat] = await transaction.select().from(chats).where(isIt).for("update");
      if (chat === undefined) return { outcome: "gone" };
      if ((await this.#leases.stateOf(transaction, chatId)) !== "none") return { outcome: "under-way" };
      const before = await firstMessage(transaction, chatId);
      const result = await showBranch(transaction, chatId, storable(messageId));
      const title = chatTitle(chat.title, before, await firstMessage(transaction, chatId));
      const branch = sql`${chats.branch} + 1`;
      await transaction
        .update(chats)
        .set({ branch, ...title })
        .where(eq(chats.id, chatId));
      return result;
    });
  }

  /** Copies the shown messages up to one of them to a new chat. Returns undefined if there is no such message. */
  fork(chatId: string, messageId: string): Promise<ChatSummary | undefined> {
    return changeChats(this.#database, (transaction) => forkChat(transaction, chatId, storable(messageId)));
  }
}
