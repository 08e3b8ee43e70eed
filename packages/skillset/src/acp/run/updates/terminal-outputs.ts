import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { LIMITS } from "../../../core/base/limits.ts";

/**
 * The output of the terminals that agents run themselves. ACP has no field for it; Claude Code and Codex append it as
 * `terminal_output` to the metadata of updates.
 */
export class TerminalOutputs {
  readonly #outputs = new Map<string, TerminalOutput>();

  /** Adds the output that an update contains. Bounded, because a command may print for hours. */
  note({ _meta }: Pick<ToolCallUpdate, "_meta">): void {
    const { terminal_id: id, data } = (_meta?.terminal_output ?? _meta?.terminal_output_delta ?? {}) as ReportedOutput;
    if (typeof id !== "string" || typeof data !== "string") return;
    const before = this.of(id);
    const whole = before.output + data;
    const output = whole.slice(-LIMITS.agent.terminalCharacters);
    this.#outputs.delete(id);
    this.#outputs.set(id, { output, truncated: before.truncated || output.length < whole.length });
    const [oldest] = this.#outputs.keys();
    if (this.#outputs.size > LIMITS.agent.terminals && oldest !== undefined) this.#outputs.delete(oldest);
  }

  /** The output so far; empty for an unknown terminal. */
  readonly of = (id: string): TerminalOutput => this.#outputs.get(id) ?? { output: "", truncated: false };
}

export interface TerminalOutput {
  readonly output: string;
  /** Whether the start is missing. */
  readonly truncated: boolean;
}

interface ReportedOutput {
  readonly terminal_id?: unknown;
  readonly data?: unknown;
}
