import type { ScriptEnd, ScriptLimits } from "skillset/scripts";

/** The largest heap of JavaScript, in megabytes. Other memory is measured from outside. */
export function heapLimit({ memory }: ScriptLimits): number {
  return Math.max(64, Math.floor(memory / 1024 / 1024));
}

/** V8 ends the process at the limit of its heap, and prints a trace of the machine's code. */
export function reportHeapLimit(end: ScriptEnd): ScriptEnd {
  if (end.outcome !== "exited" || end.exitCode < 128) return end;
  const { command, stdout, stderr } = end;
  const at = stderr.search(HEAP_LIMIT);
  return at === -1 ? end : { outcome: "memory-limit", command, stdout, stderr: stderr.slice(0, at).trimEnd() };
}

const HEAP_LIMIT = /<--- Last few GCs --->|#\n# Fatal .{0,200} out of memory|FATAL ERROR: .{0,200} out of memory/;
