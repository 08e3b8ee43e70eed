import { setTimeout as pause } from "node:timers/promises";
import { readRow } from "../../process/process-table.ts";
import { kill } from "../../process/process-tree.ts";

/** What bubblewrap reports about a sandbox, as JSON in parts. */
export class SandboxStatus {
  /** The first process of the sandbox, by its number outside. */
  readonly firstProcess: Promise<string>;
  #found: (pid: string) => void = () => {};
  #pid: string | undefined;
  #text = "";

  constructor() {
    this.firstProcess = new Promise((resolve) => {
      this.#found = resolve;
    });
  }

  add(text: string): void {
    this.#text += text;
    this.#pid ??= /"child-pid": (\d+)\D/.exec(this.#text)?.[1];
    if (this.#pid !== undefined) this.#found(this.#pid);
  }

  /** Whether the command ran. */
  get hasExitCode(): boolean {
    return this.#text.includes('"exit-code"');
  }

  /** Waits until the first process is gone. It ends after all others. */
  async endOfNamespace(): Promise<void> {
    if (this.#pid === undefined) return;
    const row = readRow(this.#pid);
    for (let waited = 0; row !== undefined && readRow(this.#pid)?.start === row.start && waited < 5_000; waited += 2) {
      kill(row.pid);
      await pause(2);
    }
  }
}
