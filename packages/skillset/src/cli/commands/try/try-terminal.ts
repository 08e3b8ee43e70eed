import { createInterface, type Interface } from "node:readline/promises";
import { PassThrough, Writable } from "node:stream";
import { askConsent } from "../../terminal/ask-consent.ts";
import type { Input, Io, Output } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { counted, printableLines } from "../../terminal/printable.ts";
import { write, writeLine } from "../../terminal/write.ts";
import { answerLine } from "./try-answer.ts";
import { completeLine } from "./try-complete.ts";
import type { TryConversation } from "./try-conversation.ts";

/** A session at the terminal, with completion and history, until `exit`, Ctrl-D or Ctrl-C. */
export async function runTerminal(
  conversation: TryConversation,
  { stdin, signal, ...rest }: Io,
  { asks }: { readonly asks: boolean },
): Promise<number> {
  const stdout = toStream(rest.stdout);
  const io: Io = { ...rest, stdin, signal, stdout };
  const { session } = conversation;
  const paint = createPaint(stdout, io.env);
  await writeLine(
    stdout,
    `${counted(session.skillset.size, "skill")} loaded. You play the model: each reply is what a model would get.`,
    paint("dim", "Start with 'prompt'. 'help' lists all commands, Tab completes, Ctrl-D exits."),
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
    conversation.interrupt();
    terminal.close();
  });
  conversation.scripts = {
    ...conversation.scripts,
    ...(asks && { consent: (request) => askConsent({ ...io, stdin: answerFrom(terminal, request.signal) }, request) }),
    onOutput: ({ text }) => void write(stdout, [paint("dim", printableLines(text))]).catch(() => {}),
  };
  // The user can close the terminal before an answer arrives.
  let isOpen = true;
  terminal.once("close", () => {
    isOpen = false;
  });
  terminal.prompt();
  try {
    for await (const line of terminal) {
      const verdict = await answerLine(conversation, line, io);
      if (verdict === "left") return exitCode;
      if (verdict === "did-not-fail")
        await writeLine(stdout, paint("red", "This line was expected to fail, but did not."));
      if (isOpen) terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  signal.throwIfAborted();
  // The shell's next prompt starts on a new line.
  await writeLine(stdout, "");
  return exitCode;
}

/** Readline reads the terminal, so it also reads the answer. */
function answerFrom(terminal: Interface, signal: AbortSignal): Input {
  const answer = Object.assign(new PassThrough(), { isTTY: true });
  terminal.question("", { signal }).then(
    (line) => answer.end(line),
    () => answer.end(),
  );
  terminal.once("close", () => answer.end());
  return answer;
}

/** Readline and this command write to one stream, which keeps the output in order. */
function toStream(output: Output): Writable & Output {
  const stream = new Writable({ write: (chunk, _encoding, done) => void output.write(chunk, done) });
  // Writers handle errors themselves; without a listener an error would crash the process.
  stream.on("error", () => {});
  Object.defineProperty(stream, "columns", { get: () => output.columns });
  return Object.assign(stream, { isTTY: true });
}
