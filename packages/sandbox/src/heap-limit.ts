import type { ScriptEnd, ScriptLimits } from "skillset/scripts";

/** The largest heap of JavaScript, in megabytes. Other memory is measured from outside. */
export function heapLimit({ memory }: ScriptLimits): number {
  return Math.max(64, Math.floor(memory / 1024 / 1024));
}

/** V8 ends the process at the limit of its heap, with a trace of its own code. */
export function reportHeapLimit(end: ScriptEnd): ScriptEnd {
  if (end.outcome !== "exited" || end.exitCode < 128 || !HEAP_LIMIT.test(end.stderr)) return end;
  const { command, stdout, stderr } = end;
  return { outcome: "memory-limit", command, stdout, stderr: stderr.slice(0, stderr.search(HEAP_LIMIT)) };
}

const HEAP_LIMIT = /(?:\s*<--- Last few GCs --->[^]*)?(?:\n#[^\n]*)*[^\n]*Fatal (?:JavaScript out of memory|process out of memory)|\s*<--- Last few GCs --->|FATAL ERROR: [^\n]*heap/i;
