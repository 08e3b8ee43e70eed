import type { ScriptEnd } from "skillset/scripts";

const STOPPED = ["timed-out", "output-limit", "memory-limit", "process-limit", "aborted"] as const;

/** Parses how a run ended. Undefined if anything is wrong with it. More output than the limit is cut. */
export function parseEnd(value: unknown, maxOutput: number): ScriptEnd | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { outcome, reason, command, stdout, stderr, exitCode } = value as Record<string, unknown>;
  if (outcome === "refused") return isString(reason) ? { outcome, reason: reason.slice(0, 1_000) } : undefined;
  if (!Array.isArray(command) || !command.every(isString) || !isString(stdout) || !isString(stderr)) return undefined;
  const ran = { command, stdout: cut(stdout, maxOutput), stderr: cut(stderr, maxOutput) };
  if (outcome === "exited")
    return Number.isInteger(exitCode) ? { outcome, exitCode: exitCode as number, ...ran } : undefined;
  const stopped = STOPPED.find((one) => one === outcome);
  return stopped && { outcome: stopped, ...ran };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The limit is in bytes. A character that does not fit is left out. */
function cut(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.min(maxBytes, 3 * text.length)));
  return text.slice(0, read);
}
