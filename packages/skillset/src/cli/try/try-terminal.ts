import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Io, Output } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { counted } from "../terminal/printable.ts";
import { writeLine } from "../terminal/write.ts";
import { answerLine } from "./try-answer.ts";
import { completeLine } from "./try-complete.ts";
import type { TryConversation } from "./try-conversation.ts";

/** A session at the terminal, with completion and history, until `exit`, Ctrl-D or Ctrl-C. */
export async function runTerminal(conversation: TryConversation, { stdin, signal, ...rest }: Io): Promise<number> {
  const stdout = toStream(rest.stdout);
  const io: Io = { ...rest, stdin, signal, stdout };
  const { session } = conversation;
  const paint = createPaint(stdout, io.env);
  await writeLine(
    stdout,
    `${counted(session.skillset.size, "skill")}. You are the model: what you get here is what it would get.`,
    paint("dim", "'prompt' is where it starts, 'help' lists the rest, Tab completes, Ctrl-D leaves."),
  );
  const terminal = createInterface({
    input: stdin,
    output: stdout,
    terminal: true,
    prompt: "> ",
    completer: (line: string) => completeLine(line, session),
    historySize: 1_000,
    removeHistoryDuplicates: true,
    signal,
  });
  let exitCode = 0;
  terminal.on("SIGINT", () => {
    exitCode = 130;
    terminal.close();
  });
  // Someone who types ahead may have left before the answer is there.
  let isOpen = true;
  terminal.once("close", () => {
    isOpen = false;
  });
  terminal.prompt();
  try {
    for await (const line of terminal) {
      const verdict = await answerLine(conversation, line, io);
      if (verdict === "left") return exitCode;
      if (verdict === "did-not-fail") await writeLine(stdout, paint("red", "It had to fail, and did not."));
      if (isOpen) terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  signal.throwIfAborted();
  // Whatever comes next starts on a line of its own.
  await writeLine(stdout, "");
  return exitCode;
}

/** What readline and we write goes through one stream, so that it stays in order. */
function toStream(output: Output): Writable & Output {
  const stream = new Writable({ write: (chunk, _encoding, done) => void output.write(chunk, done) });
  // Told to whoever writes; without a listener it would end the process with a stack.
  stream.on("error", () => {});
  Object.defineProperty(stream, "columns", { get: () => output.columns });
  return Object.assign(stream, { isTTY: true });
}
