import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { shownText } from "../../terminal/shown-text.ts";
import { write } from "../../terminal/write.ts";
import { parseLine, runLine } from "./try-commands.ts";
import type { TryConversation } from "./try-conversation.ts";

/** How a line ended; `left` ends the session. */
export type Verdict = "as-expected" | "failed" | "did-not-fail" | "left";

/** Runs a line, and writes what a model would get. */
export async function answerLine(conversation: TryConversation, line: string, io: Io): Promise<Verdict> {
  const parsed = parseLine(line);
  if (parsed === undefined) return "as-expected";
  const { text, mustFail } = parsed;
  const reply = await runLine(conversation, text);
  io.signal.throwIfAborted();
  if (reply.outcome === "left") return mustFail ? "did-not-fail" : "left";
  const hasFailed = reply.outcome === "failed";
  const shown = shownText(reply.text, io.stdout);
  await write(io.stdout, [hasFailed ? createPaint(io.stdout, io.env)("red", shown) : shown]);
  if (hasFailed === mustFail) return "as-expected";
  return hasFailed ? "failed" : "did-not-fail";
}
