import type { Readable } from "node:stream";
import { PlainText } from "./plain-text.ts";

interface CaptureOptions {
  /** How many bytes to keep. */
  readonly limit: number;
  onText(text: string): void;
  /** Called once, if there are more bytes. */
  onLimit(): void;
}

/** Decodes what a program writes, up to a limit. */
export class CapturedStream {
  text = "";
  /** Resolves when nobody can write to the stream anymore. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #options: CaptureOptions;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #plain = new PlainText();
  #bytes = 0;

  constructor(stream: Readable, options: CaptureOptions) {
    this.#stream = stream;
    this.#options = options;
    this.ended = new Promise((resolve) => void stream.once("close", resolve).once("error", () => resolve()));
    stream.on("data", (chunk: Buffer) => this.#add(chunk));
  }

  /** Stops reading, and returns the whole text. */
  end(): string {
    this.#stream.destroy();
    // A character that the limit cut is dropped; one that the program left unfinished is shown as U+FFFD.
    if (this.#bytes <= this.#options.limit) this.#show(this.#decoder.decode());
    return this.text;
  }

  #add(chunk: Buffer): void {
    const { limit, onLimit } = this.#options;
    const rest = limit - this.#bytes;
    if (rest < 0) return;
    this.#bytes += chunk.length;
    this.#show(this.#decoder.decode(chunk.subarray(0, rest), { stream: true }));
    if (chunk.length > rest) onLimit();
  }

  #show(decoded: string): void {
    const text = this.#plain.push(decoded);
    if (text === "") return;
    this.text += text;
    try {
      this.#options.onText(text);
    } catch {
      // A listener that throws must not change the run.
    }
  }
}
