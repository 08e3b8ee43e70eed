import type { Io } from "../../terminal/io.ts";
import { printableLines } from "../../terminal/printable.ts";
import { write, writeLine } from "../../terminal/write.ts";

/** Prints an agent's answer and its progress, and keeps them on separate lines on a terminal. */
export class ThinkOutput {
  readonly #io: Io;
  /** Whether stdout ends in the middle of a line. */
  #isMidLine = false;
  #isParagraphOver = false;
  #hasSpoken = false;
  /** The first half of a character that arrived in two pieces. */
  #half = "";
  /** Resolves when no question is open on the terminal. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(io: Io) {
    this.#io = io;
  }

  /** Prints a piece of the agent's answer on stdout. */
  async say(piece: string): Promise<void> {
    await this.#turn;
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    let shown = printableLines(text.slice(0, text.length - this.#half.length));
    if (!this.#hasSpoken || this.#isParagraphOver) shown = shown.trimStart();
    if (shown === "") return;
    const gap = this.#isParagraphOver ? (this.#isMidLine ? "\n\n" : "\n") : "";
    this.#isParagraphOver = false;
    this.#hasSpoken = true;
    this.#isMidLine = !shown.endsWith("\n");
    await write(this.#io.stdout, [gap, shown]);
  }

  /** Starts a new paragraph with the next piece. */
  endParagraph(): void {
    this.#isParagraphOver = this.#hasSpoken;
  }

  /** Prints a line about the agent's progress on stderr. */
  async report(line: string): Promise<void> {
    await this.#turn;
    await this.#startLine();
    await writeLine(this.#io.stderr, line);
  }

  /** Asks a question on a new line. Questions wait for each other, and nothing else is printed in the meantime. */
  ask(question: () => Promise<boolean>): Promise<boolean> {
    const answer = this.#turn.then(async () => {
      await this.#startLine();
      return question();
    });
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** Ends the last line. */
  async end(): Promise<void> {
    if (!this.#isMidLine) return;
    this.#isMidLine = false;
    await write(this.#io.stdout, ["\n"]);
  }

  async #startLine(): Promise<void> {
    if (this.#io.stdout.isTTY) await this.end();
  }
}
