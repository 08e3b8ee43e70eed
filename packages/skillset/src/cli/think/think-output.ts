import type { Io } from "../terminal/io.ts";
import { printableLines } from "../terminal/printable.ts";
import { write, writeLine } from "../terminal/write.ts";

/** Where an agent's words and the lines about its work go, so that on a terminal neither runs into the other. */
export class ThinkOutput {
  readonly #io: Io;
  /** Whether stdout ends in the middle of a line. */
  #isMidLine = false;
  #isParagraphOver = false;
  #hasSpoken = false;
  /** The first half of a character that came in two pieces. */
  #half = "";
  /** Over when nobody has the terminal to himself. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(io: Io) {
    this.#io = io;
  }

  /** The agent's words on stdout, as they come. */
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

  /** What is said next is apart from what was said before. */
  endParagraph(): void {
    this.#isParagraphOver = this.#hasSpoken;
  }

  /** A line about the agent's work, on stderr. */
  async tell(line: string): Promise<void> {
    await this.#turn;
    await this.#startLine();
    await writeLine(this.#io.stderr, line);
  }

  /** Asks something on a line of its own: one question after the other, and nothing else is printed meanwhile. */
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
