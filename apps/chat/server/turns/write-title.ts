import { generateText } from "ai";
import type { ChatMessage } from "../../shared/api.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { titled } from "../chats/chat-title.ts";
import { titleFrom, wordsOf } from "../chats/message-words.ts";
import type { TitlesConfig } from "../config/models-config.ts";
import type { Log } from "../observe/log.ts";
import type { ChatTurn } from "./chat-turn.ts";
import type { RunningAnswers } from "./running-answers.ts";

export interface WriteTitleOptions {
  readonly config: { readonly models: TitlesConfig };
  readonly chats: Pick<ChatStore, "get" | "retitle">;
  readonly log: Log;
  readonly running: Pick<RunningAnswers, "givenUp">;
}

/**
 * Asks the model that answered the first message of a chat for a title. Returns whether the title changed. The first
 * words of the message stay the title if this fails, if the user has renamed the chat, and with the offline demo.
 */
export async function writeTitle(turn: ChatTurn, answer: ChatMessage, options: WriteTitleOptions): Promise<boolean> {
  const { config, chats, log, running } = options;
  if (config.models.titles !== "model" || turn.info.isOffline) return false;
  try {
    const { title: instead } = titled(titleFrom(turn.message));
    // Later messages have other words than the title.
    if ((await chats.get(turn.chatId))?.title !== instead) return false;
    const { text } = await generateText({
      model: turn.model,
      instructions: INSTRUCTIONS,
      prompt: `Question:\n${wordsOf(turn.message).slice(0, 2_000)}\n\nAnswer:\n${wordsOf(answer).slice(0, 1_000)}`,
      maxOutputTokens: 40,
      maxRetries: 0,
      abortSignal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), running.givenUp]),
    });
    const title = cleanTitle(text);
    return title !== "" && (await chats.retitle(turn.chatId, title, { instead }));
  } catch (error) {
    // Logged without the message, because providers echo prompts in it.
    log.info("title-failed", { chat: turn.chatId, error: error instanceof Error ? error.name : typeof error });
    return false;
  }
}

const TIMEOUT = 20_000;

const INSTRUCTIONS = `Write a title for this conversation: two to six words in the language of the question, as a person
would write it on a folder. Do not answer the question. Reply with the title only, without quotes or a period.`;

/** The first line, without the decoration that models add. */
export function cleanTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  const bare = line.replace(/^(?:[\s#>*_`"'“”«»-]|title:)+/i, "").replace(/(?<![\s*_`"'“”«».])[\s*_`"'“”«».]+$/, "");
  return titleFrom({ parts: bare === "" ? [] : [{ type: "text", text: bare }] }, "");
}
