import { DEFAULTS } from "../base/limits.ts";
import type { ScriptResult } from "../script/script.ts";

/** Describes a run for a model: how it ended, its output, and its files. */
export function renderScriptResult(result: ScriptResult): string {
  if (result.outcome === "refused") return result.reason;
  const lines = [summarise(result)];
  for (const stream of ["stdout", "stderr"] as const) {
    const text = cutMiddle(result[stream], DEFAULTS.scriptCharacters).trimEnd();
    if (text !== "") lines.push("", `<${stream}>`, text, `</${stream}>`);
  }
  if (result.files.length > 0) lines.push("", "Files in $OUTPUT_DIR:", ...result.files.map(describeFile));
  if (result.hint !== undefined) lines.push("", result.hint);
  for (const { path, reason } of result.droppedFiles) lines.push(`'${path}' was removed: ${reason}.`);
  return lines.join("\n");
}

/** Summarises how a run ended. */
export function summarise(result: ScriptResult): string {
  const { script, level, milliseconds } = result;
  const what = `${script} ${describeEnd(result)}`;
  if (result.outcome === "refused") return what;
  const where = level === "subprocess" ? "no sandbox" : `sandbox: ${level}`;
  return `${what} after ${milliseconds} ms (${where}).`;
}

function describeEnd(result: ScriptResult): string {
  switch (result.outcome) {
    case "exited":
      return result.exitCode === 0 ? "succeeded" : `failed with exit code ${result.exitCode}`;
    case "timed-out":
      return "was stopped at its time limit";
    case "output-limit":
      return "was stopped because it wrote too much";
    case "memory-limit":
      return "was stopped because it used too much memory";
    case "process-limit":
      return "was stopped because it started too many processes";
    case "aborted":
      return "was cancelled";
    case "refused":
      return `did not run. ${result.reason}`;
  }
}

function describeFile({ path, size }: { readonly path: string; readonly size: number }): string {
  return `- ${path} (${size} bytes)`;
}

/** Keeps the start and the end of a long text. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(-half).replace(/^[\udc00-\udfff]/, "");
  return `${start}\n[${text.length - start.length - end.length} characters are left out here.]\n${end}`;
}
