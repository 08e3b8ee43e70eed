import { createInterface } from "node:readline";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { shownText } from "../../terminal/shown-text.ts";
import { write, writeLine } from "../../terminal/write.ts";
import { answerLine } from "./try-answer.ts";
import type { TryConversation } from "./try-conversation.ts";

export interface Script {
  /** The name in error messages. */
  readonly name: string;
  readonly lines: Iterable<string> | AsyncIterable<string>;
}

/** Replays lines and echoes each before its output. Returns 1 if a line did not end as expected. */
export async function runScript(conversation: TryConversation, { name, lines }: Script, io: Io): Promise<number> {
  const paint = createPaint(io.stderr, io.env);
  let exitCode = 0;
  let number = 0;
  for await (const line of lines) {
    io.signal.throwIfAborted();
    number++;
    if (line.trim() === "") continue;
    await write(io.stdout, [shownText(`> ${line}`, io.stdout)]);
    const verdict = await answerLine(conversation, line, io);
    if (verdict === "left") break;
    if (verdict === "as-expected") continue;
    exitCode = 1;
    await writeLine(
      io.stderr,
      `${paint("bold", `${name}:${number}`)}: ${paint("red", "error")}: ${SENTENCES[verdict]}`,
    );
  }
  io.signal.throwIfAborted();
  return exitCode;
}

const SENTENCES = {
  failed: "This line failed.",
  "did-not-fail": "This line was expected to fail, but did not.",
} as const;

/** The lines of a pipe as they arrive. */
export async function* linesFrom({ stdin, signal }: Io): AsyncGenerator<string> {
  const reader = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY, signal });
  try {
    yield* reader;
  } finally {
    // An open reader keeps the process alive.
    reader.close();
  }
}
